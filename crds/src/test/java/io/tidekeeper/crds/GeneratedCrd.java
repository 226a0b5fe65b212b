package io.tidekeeper.crds;

import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.crdv2.generator.CRDPostProcessor;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** The CRD as the records say it, with what annotations cannot express. */
final class GeneratedCrd {

  private static final List<String> COLUMNS =
      List.of("Type", "Mode", "Applied", "Ready", "Reason", "Age", "Revision", "Sources", "Format");

  private GeneratedCrd() {}

  static String yaml() {
    CustomResourceDefinition[] found = new CustomResourceDefinition[1];
    new CRDGenerator()
        .customResourceClasses(WatermarkPolicy.class)
        .forCRDVersions("v1")
        .withParallelGenerationEnabled(false)
        .withPostProcessor(
            new CRDPostProcessor() {
              @Override
              public HasMetadata process(HasMetadata crd, String crdSpecVersion) {
                found[0] = complete((CustomResourceDefinition) crd);
                return crd;
              }
            })
        .withOutput(new Discard())
        .generate();
    return new KubernetesSerialization().asYaml(found[0]);
  }

  private static CustomResourceDefinition complete(CustomResourceDefinition crd) {
    CustomResourceDefinitionVersion version = crd.getSpec().getVersions().get(0);
    // The generator sorts columns by their path; people read them in this order.
    version
        .getAdditionalPrinterColumns()
        .sort(Comparator.comparing(column -> COLUMNS.indexOf(column.getName())));
    JSONSchemaProps root = version.getSchema().getOpenAPIV3Schema();
    root.setDescription(
        "The event-time thresholds of one or more Flink jobs, and how a change of them is rolled"
            + " out.");
    mapList(at(root, "spec", "targetRefs"), "kind", "name");
    mapList(at(root, "spec", "sources"), "name");
    watermarkLists(at(root, "spec", "watermark"));
    watermarkLists(items(at(root, "spec", "sources"), "watermark"));
    mapList(at(root, "status", "conditions"), "type");
    mapList(at(root, "status", "targets"), "name");
    mapList(items(at(root, "status", "targets"), "conditions"), "type");
    return crd;
  }

  private static void watermarkLists(JSONSchemaProps watermark) {
    setList(windowDays(watermark));
    mapList(at(watermark, "throughput", "tiers"), "minRecordsPerSecond");
    mapList(at(watermark, "partitionOverrides"), "name");
    setList(items(at(watermark, "partitionOverrides"), "partitions"));
  }

  private static JSONSchemaProps windowDays(JSONSchemaProps watermark) {
    return items(at(watermark, "schedule", "windows"), "days");
  }

  private static JSONSchemaProps at(JSONSchemaProps schema, String... path) {
    JSONSchemaProps found = schema;
    for (String name : path) {
      found = Objects.requireNonNull(found.getProperties().get(name), name);
    }
    return found;
  }

  private static JSONSchemaProps items(JSONSchemaProps list, String name) {
    return at(list.getItems().getSchema(), name);
  }

  private static void mapList(JSONSchemaProps list, String... keys) {
    list.setXKubernetesListType("map");
    list.setXKubernetesListMapKeys(List.of(keys));
  }

  private static void setList(JSONSchemaProps list) {
    list.setXKubernetesListType("set");
  }
}
