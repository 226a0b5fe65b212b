package io.tidekeeper.controller.flink;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads a FlinkDeployment of any operator version. Unknown fields are passed over, unknown values
 * become {@code UNKNOWN}, and what is not there has a value that says so: reading never fails.
 */
public final class FlinkDeploymentReader {

  private final ObjectMapper mapper = new ObjectMapper();
  private final OperatorErrorReader errors = new OperatorErrorReader(mapper);

  /** Reads a resource as a client or an informer delivers it. */
  public FlinkDeployment read(GenericKubernetesResource resource) {
    return read(mapper.<JsonNode>valueToTree(resource));
  }

  /** Reads the JSON of a resource. */
  public FlinkDeployment read(JsonNode resource) {
    JsonNode metadata = resource.path("metadata");
    JsonNode spec = resource.path("spec");
    JsonNode job = spec.path("job");
    FlatConfiguration configuration = new FlatConfiguration(spec.path("flinkConfiguration"));
    return new FlinkDeployment(
        metadata.path("name").asText(),
        metadata.path("uid").asText(),
        metadata.path("generation").asLong(),
        metadata.hasNonNull("deletionTimestamp"),
        strings(metadata.path("annotations")),
        blueGreenParent(metadata.path("ownerReferences")),
        job.isObject(),
        upgradeMode(job.path("upgradeMode")),
        job.path("state").asText().equalsIgnoreCase("suspended"),
        configuration.values,
        configuration.nested,
        configuration.clashes,
        FieldManagers.ofConfiguration(metadata.path("managedFields")),
        operator(resource.path("status")));
  }

  private OperatorView operator(JsonNode status) {
    JsonNode reconciliation = status.path("reconciliationStatus");
    JsonNode job = status.path("jobStatus");
    return new OperatorView(
        status.path("observedGeneration").asLong(),
        constant(status.path("lifecycleState"), Lifecycle.NONE, Lifecycle.UNKNOWN),
        constant(
            reconciliation.path("state"), ReconciliationState.NONE, ReconciliationState.UNKNOWN),
        constant(
            status.path("jobManagerDeploymentStatus"),
            JobManagerState.NONE,
            JobManagerState.UNKNOWN),
        constant(job.path("state"), JobState.NONE, JobState.UNKNOWN),
        errors.read(status.path("error").asText("")),
        reconciled(reconciliation.path("lastReconciledSpec").asText("")),
        textOrNull(job.path("jobId")),
        textOrNull(job.path("upgradeSavepointPath")));
  }

  private @Nullable ReconciledSpec reconciled(String json) {
    if (json.isBlank()) {
      return null;
    }
    JsonNode spec;
    try {
      spec = mapper.readTree(json).path("spec");
    } catch (JsonProcessingException e) {
      // Unreadable is not the same as never reconciled: it holds no key of ours.
      return new ReconciledSpec(false, new TreeMap<>(), false);
    }
    JsonNode job = spec.path("job");
    return new ReconciledSpec(
        job.path("state").asText().equalsIgnoreCase("running"),
        new FlatConfiguration(spec.path("flinkConfiguration")).values,
        // Written, even when null, by every operator that can leave a failed start again.
        job.has("autoscalerResetNonce"));
  }

  private static UpgradeMode upgradeMode(JsonNode node) {
    String name = node.asText("").replace('-', '_');
    return name.isEmpty() ? UpgradeMode.STATELESS : constant(name, UpgradeMode.UNKNOWN);
  }

  private static <E extends Enum<E>> E constant(JsonNode node, E none, E unknown) {
    String name = node.asText("");
    return name.isEmpty() || node.isNull() ? none : constant(name, unknown);
  }

  private static <E extends Enum<E>> E constant(String name, E unknown) {
    for (E constant : unknown.getDeclaringClass().getEnumConstants()) {
      if (constant.name().equals(name.toUpperCase(Locale.ROOT))) {
        return constant;
      }
    }
    return unknown;
  }

  private static @Nullable String blueGreenParent(JsonNode owners) {
    for (JsonNode owner : owners) {
      if (owner.path("kind").asText().equals("FlinkBlueGreenDeployment")) {
        return owner.path("name").asText();
      }
    }
    return null;
  }

  private static @Nullable String textOrNull(JsonNode node) {
    String text = node.asText("");
    return text.isEmpty() || node.isNull() ? null : text;
  }

  private static SortedMap<String, String> strings(JsonNode object) {
    SortedMap<String, String> strings = new TreeMap<>();
    object.properties().forEach(entry -> strings.put(entry.getKey(), entry.getValue().asText()));
    return strings;
  }
}
