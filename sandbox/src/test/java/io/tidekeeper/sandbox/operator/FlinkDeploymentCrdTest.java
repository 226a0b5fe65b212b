package io.tidekeeper.sandbox.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NullUnmarked
class FlinkDeploymentCrdTest {

  @Test
  void newerFlinkVersionsAndNestedConfigurationAreLetThrough() {
    Map<String, JSONSchemaProps> spec = schema(FlinkDeploymentCrd.load(), "spec");

    assertThat(spec.get("flinkVersion").getEnum())
        .extracting(JsonNode::asText)
        .contains("v1_20", "v2_0", "v2_2", "v2_4")
        .doesNotHaveDuplicates();
    assertThat(spec.get("flinkConfiguration").getXKubernetesPreserveUnknownFields()).isTrue();
    assertThat(spec.get("flinkConfiguration").getType()).isNull();
    assertThat(spec.get("flinkConfiguration").getAdditionalProperties()).isNull();
  }

  @Test
  void conditionsAreKept() {
    assertThat(schema(FlinkDeploymentCrd.load(), "status")).containsKey("conditions");
  }

  @Test
  void theFileHoldsTheSame(@TempDir Path dir) throws Exception {
    Path file = FlinkDeploymentCrd.writeTo(dir.resolve("crds"));

    CustomResourceDefinition read =
        Serialization.unmarshal(Files.readString(file), CustomResourceDefinition.class);
    assertThat(read).isEqualTo(FlinkDeploymentCrd.load());
  }

  private static Map<String, JSONSchemaProps> schema(
      CustomResourceDefinition definition, String part) {
    return definition
        .getSpec()
        .getVersions()
        .get(0)
        .getSchema()
        .getOpenAPIV3Schema()
        .getProperties()
        .get(part)
        .getProperties();
  }
}
