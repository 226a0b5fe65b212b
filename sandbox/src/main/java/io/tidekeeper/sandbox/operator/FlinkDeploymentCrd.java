package io.tidekeeper.sandbox.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsBuilder;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The custom resource definition of FlinkDeployment, as far as an API server needs it: the one in
 * the operator's published API, brought up to operator 1.15 where that differs in what it lets
 * through.
 */
public final class FlinkDeploymentCrd {
  /** How a client names the resource. */
  public static final ResourceDefinitionContext CONTEXT =
      new ResourceDefinitionContext.Builder()
          .withGroup("flink.apache.org")
          .withVersion("v1beta1")
          .withKind("FlinkDeployment")
          .withPlural("flinkdeployments")
          .withNamespaced(true)
          .build();

  private static final String RESOURCE =
      "/META-INF/fabric8/flinkdeployments.flink.apache.org-v1.yml";
  private static final List<String> FLINK_VERSIONS =
      List.of("v2_0", "v2_1", "v2_2", "v2_3", "v2_4");
  private static final List<String> LIFECYCLE_STATES = List.of("DELETING", "DELETED");

  private FlinkDeploymentCrd() {}

  /** The definition, read anew. */
  public static CustomResourceDefinition load() {
    try (InputStream in = FlinkDeploymentCrd.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("the operator's API is not on the class path: " + RESOURCE);
      }
      CustomResourceDefinition definition =
          Serialization.unmarshal(in, CustomResourceDefinition.class);
      for (CustomResourceDefinitionVersion version : definition.getSpec().getVersions()) {
        Map<String, JSONSchemaProps> top = version.getSchema().getOpenAPIV3Schema().getProperties();
        renewSpec(property(top, "spec").getProperties());
        renewStatus(property(top, "status").getProperties());
      }
      return definition;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Writes the definition to a file for {@code kubectl apply}, or for the start of an API server.
   *
   * @param folder created if missing
   * @return the file
   */
  public static Path writeTo(Path folder) {
    try {
      Files.createDirectories(folder);
      return Files.writeString(
          folder.resolve("flinkdeployments.flink.apache.org.yaml"), Serialization.asYaml(load()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void renewSpec(Map<String, JSONSchemaProps> spec) {
    extendEnum(property(spec, "flinkVersion"), FLINK_VERSIONS);
    // Since 1.13 the configuration may be nested, and its values need not be strings.
    spec.put(
        "flinkConfiguration",
        new JSONSchemaPropsBuilder().withXKubernetesPreserveUnknownFields(true).build());
  }

  private static void renewStatus(Map<String, JSONSchemaProps> status) {
    extendEnum(property(status, "lifecycleState"), LIFECYCLE_STATES);
    status.put("conditions", listOfConditions());
  }

  private static JSONSchemaProps listOfConditions() {
    JSONSchemaProps text = new JSONSchemaPropsBuilder().withType("string").build();
    return new JSONSchemaPropsBuilder()
        .withType("array")
        .withNewItems()
        .withNewSchema()
        .withType("object")
        .addToProperties("lastTransitionTime", text)
        .addToProperties("message", text)
        .addToProperties("reason", text)
        .addToProperties("status", text)
        .addToProperties("type", text)
        .endSchema()
        .endItems()
        .build();
  }

  private static void extendEnum(JSONSchemaProps schema, List<String> more) {
    List<JsonNode> values = new ArrayList<>(schema.getEnum());
    more.stream().map(TextNode::valueOf).filter(v -> !values.contains(v)).forEach(values::add);
    schema.setEnum(values);
  }

  private static JSONSchemaProps property(Map<String, JSONSchemaProps> schema, String name) {
    JSONSchemaProps property = schema.get(name);
    if (property == null) {
      throw new IllegalStateException("the bundled definition has no property " + name);
    }
    return property;
  }
}
