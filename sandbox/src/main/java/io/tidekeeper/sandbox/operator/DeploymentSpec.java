package io.tidekeeper.sandbox.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The {@code spec} of a FlinkDeployment, with the operator's defaults filled in. Immutable. */
record DeploymentSpec(JsonNode json) {
  static final String RUNNING = "running";
  static final String SUSPENDED = "suspended";
  static final String SAVEPOINT = "savepoint";
  static final String LAST_STATE = "last-state";
  static final String STATELESS = "stateless";

  /** What the operator sets itself. */
  private static final List<String> FORBIDDEN =
      List.of("kubernetes.cluster-id", "kubernetes.namespace", "high-availability.cluster-id");

  /** What somebody wrote. */
  static DeploymentSpec of(JsonNode written) {
    ObjectNode spec = written.isObject() ? written.deepCopy() : Json.object();
    if (spec.get("job") instanceof ObjectNode job) {
      setIfMissing(job, "state", RUNNING);
      setIfMissing(job, "upgradeMode", STATELESS);
      if (!job.hasNonNull("args")) {
        job.putArray("args");
      }
    }
    return new DeploymentSpec(spec);
  }

  /** Why no job can be run from this, if so. */
  Optional<String> problem() {
    if (!(json.get("job") instanceof ObjectNode job)) {
      return Optional.of("spec.job is missing: the sandbox runs application deployments only");
    }
    if (!json.hasNonNull("flinkVersion")) {
      return Optional.of("spec.flinkVersion is missing");
    }
    if (!job.hasNonNull("entryClass")) {
      return Optional.of("spec.job.entryClass is missing: the sandbox reads no jar manifests");
    }
    return FORBIDDEN.stream()
        .filter(configuration()::containsKey)
        .findFirst()
        .map(key -> "Forbidden Flink config key: " + key);
  }

  /** The same with another {@code job.state} and the {@code job.upgradeMode} that is used. */
  DeploymentSpec with(String state, String upgradeMode) {
    ObjectNode copy = json.deepCopy();
    copy.withObject("/job").put("state", state).put("upgradeMode", upgradeMode);
    return new DeploymentSpec(copy);
  }

  DeploymentSpec withState(String state) {
    return with(state, upgradeMode());
  }

  String state() {
    return job("state", RUNNING);
  }

  boolean isSuspended() {
    return state().equals(SUSPENDED);
  }

  String upgradeMode() {
    return job("upgradeMode", STATELESS);
  }

  @Nullable String jarUri() {
    return Json.text(json.path("job"), "jarURI");
  }

  String entryClass() {
    return job("entryClass", "");
  }

  List<String> args() {
    List<String> args = new ArrayList<>();
    json.path("job").path("args").forEach(arg -> args.add(arg.asText()));
    return args;
  }

  int parallelism() {
    return Math.max(1, json.path("job").path("parallelism").asInt(1));
  }

  boolean allowNonRestoredState() {
    return json.path("job").path("allowNonRestoredState").asBoolean(false);
  }

  @Nullable String initialSavepointPath() {
    return Json.text(json.path("job"), "initialSavepointPath");
  }

  /** The Flink configuration by full names, written flat or nested. */
  Map<String, String> configuration() {
    return Json.flatten(json.path("flinkConfiguration"));
  }

  private String job(String field, String ifMissing) {
    String value = Json.text(json.path("job"), field);
    return value == null ? ifMissing : value;
  }

  private static void setIfMissing(ObjectNode object, String field, String value) {
    if (!object.hasNonNull(field)) {
      object.put(field, value);
    }
  }
}
