package io.tidekeeper.sandbox.operator;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes one FlinkDeployment: the platform team all of it, Tidekeeper its one option. */
final class Owner {
  static final String JAR = "local:///opt/flink/usrlib/job.jar";

  private final KubernetesClient client;
  private final String namespace;
  private final String name;
  private final Map<String, Object> options;
  private String entryClass = DelayJob.class.getName();

  Owner(KubernetesClient client, String namespace, String name, Map<String, String> options) {
    this.client = client;
    this.namespace = namespace;
    this.name = name;
    this.options = new TreeMap<>(options);
  }

  Owner entryClass(String mainClass) {
    this.entryClass = mainClass;
    return this;
  }

  /** The platform's whole manifest by server-side apply. */
  void apply(String state) {
    Map<String, Object> job =
        Map.of(
            "jarURI",
            JAR,
            "entryClass",
            entryClass,
            "parallelism",
            1,
            "state",
            state,
            "upgradeMode",
            "savepoint");
    Map<String, Object> resources = Map.of("resource", Map.of("cpu", 0.5, "memory", "1024m"));
    Map<String, Object> spec = new HashMap<>();
    spec.put("flinkVersion", "v2_2");
    spec.put("image", "flink:2.2.1");
    spec.put("serviceAccount", "flink");
    spec.put("jobManager", resources);
    spec.put("taskManager", resources);
    spec.put("job", job);
    spec.put("flinkConfiguration", options);
    send("platform", Map.of("spec", spec));
  }

  /** What else the platform's next manifest holds; null: no longer. */
  void option(String key, @Nullable String value) {
    if (value == null) {
      options.remove(key);
    } else {
      options.put(key, value);
    }
  }

  /**
   * One option by server-side apply of a manager of its own; the platform leaves it from now on.
   */
  void set(String value) {
    options.remove(Looks.KEY);
    send("tidekeeper", Map.of("spec", Map.of("flinkConfiguration", Map.of(Looks.KEY, value))));
  }

  void delete() {
    List<?> unused =
        client
            .genericKubernetesResources(ApiDeployments.CONTEXT)
            .inNamespace(namespace)
            .withName(name)
            .delete();
  }

  GenericKubernetesResource read() {
    return client
        .genericKubernetesResources(ApiDeployments.CONTEXT)
        .inNamespace(namespace)
        .withName(name)
        .get();
  }

  private void send(String manager, Map<String, Object> content) {
    GenericKubernetesResource resource =
        new GenericKubernetesResourceBuilder()
            .withApiVersion("flink.apache.org/v1beta1")
            .withKind("FlinkDeployment")
            .withNewMetadata()
            .withName(name)
            .withNamespace(namespace)
            .endMetadata()
            .withAdditionalProperties(content)
            .build();
    PatchContext context =
        new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager(manager)
            .withForce(true)
            .build();
    GenericKubernetesResource unused = client.resource(resource).patch(context, resource);
  }
}
