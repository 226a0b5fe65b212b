package io.tidekeeper.sandbox.demo;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.tidekeeper.policy.PolicyOptions;
import io.tidekeeper.sandbox.Patience;
import io.tidekeeper.sandbox.operator.FlinkDeploymentCrd;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The FlinkDeployment as it is on the API server. */
final class Target {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String REVISION = "tidekeeper.revision";

  private final KubernetesClient client;
  private final String namespace;
  private final String name;

  Target(KubernetesClient client, String namespace, String name) {
    this.client = client;
    this.namespace = namespace;
    this.name = name;
  }

  /** The settings that come from a policy, without their number. */
  Map<String, String> settings() {
    return options(key -> PolicyOptions.owns(key) && !key.equals(REVISION));
  }

  /** All other options. */
  Map<String, String> ownersOptions() {
    return options(key -> !PolicyOptions.owns(key));
  }

  /** Waits until the job has been stopped for good. */
  void awaitSuspended() {
    Patience.until(
        "the deployment to be SUSPENDED",
        PATIENCE,
        () -> "SUSPENDED".equals(lifecycle()),
        () -> String.valueOf(lifecycle()));
  }

  private @Nullable String lifecycle() {
    return resource().get("status", "lifecycleState");
  }

  private Map<String, String> options(Predicate<String> wanted) {
    Map<String, Object> all = resource().get("spec", "flinkConfiguration");
    Map<String, String> options = new TreeMap<>();
    if (all != null) {
      all.forEach((key, value) -> options.put(key, String.valueOf(value)));
    }
    options.keySet().removeIf(wanted.negate());
    return options;
  }

  private GenericKubernetesResource resource() {
    return client
        .genericKubernetesResources(FlinkDeploymentCrd.CONTEXT)
        .inNamespace(namespace)
        .withName(name)
        .require();
  }
}
