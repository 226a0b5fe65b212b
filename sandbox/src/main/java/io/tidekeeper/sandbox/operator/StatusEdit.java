package io.tidekeeper.sandbox.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A status that is being changed; what follows from the other fields is filled in at the end. */
final class StatusEdit {
  private static final String CONDITION = "Running";

  private final ObjectNode json;

  StatusEdit(ObjectNode json) {
    this.json = json;
  }

  StatusEdit observedGeneration(long generation) {
    json.put("observedGeneration", generation);
    return this;
  }

  /** Records a spec with the state of its reconciliation and the time. */
  StatusEdit reconciled(String state, RecordedSpec spec, Instant now) {
    reconciliation()
        .put("state", state)
        .put("lastReconciledSpec", spec.toText())
        .put("reconciliationTimestamp", now.toEpochMilli());
    return this;
  }

  /** What was reconciled last has proved good. */
  StatusEdit stable() {
    reconciliation().put("lastStableSpec", reconciliation().path("lastReconciledSpec").asText());
    return this;
  }

  StatusEdit jobManager(String status) {
    json.put("jobManagerDeploymentStatus", status);
    return this;
  }

  StatusEdit jobState(String state, Instant now) {
    job().put("state", state).put("updateTime", Long.toString(now.toEpochMilli()));
    return this;
  }

  StatusEdit jobId(String id) {
    job().put("jobId", id);
    return this;
  }

  StatusEdit startTime(long millis) {
    job().put("startTime", Long.toString(millis));
    return this;
  }

  /** Where the next job starts from; null: it starts empty. */
  StatusEdit upgradeSavepoint(@Nullable String path) {
    return set(job(), "upgradeSavepointPath", path);
  }

  StatusEdit error(@Nullable String error) {
    return set(json, "error", error);
  }

  StatusEdit taskManagers(String name, int replicas) {
    json.putObject("taskManager")
        .put("labelSelector", replicas == 0 ? "" : "component=taskmanager,app=" + name)
        .put("replicas", replicas);
    return this;
  }

  /** Lets the condition {@code Running} say what the state of the job is. */
  StatusEdit condition(Instant now) {
    String state = job().path("state").asText();
    if (state.isEmpty()) {
      return this;
    }
    String status = state.equals("RUNNING") ? "True" : "False";
    String before = json.path("conditions").path(0).path("status").asText();
    String since = json.path("conditions").path(0).path("lastTransitionTime").asText();
    json.putArray("conditions")
        .addObject()
        .put("type", CONDITION)
        .put("status", status)
        .put("reason", camelCase(state))
        .put("message", "Job status " + state)
        .put("lastTransitionTime", status.equals(before) ? since : now.toString());
    return this;
  }

  DeploymentStatus done() {
    json.withObject("/clusterInfo");
    job().withObject("/checkpointInfo").put("lastPeriodicCheckpointTimestamp", 0);
    ObjectNode savepoints = job().withObject("/savepointInfo");
    savepoints.put("lastPeriodicSavepointTimestamp", 0);
    savepoints.withArray("/savepointHistory");
    json.withArray("/conditions");
    DeploymentStatus status = new DeploymentStatus(json);
    json.put("lifecycleState", Lifecycle.of(status));
    return status;
  }

  static String camelCase(String state) {
    return state.charAt(0) + state.substring(1).toLowerCase(Locale.ROOT);
  }

  private ObjectNode reconciliation() {
    return json.withObject("/reconciliationStatus");
  }

  private ObjectNode job() {
    return json.withObject("/jobStatus");
  }

  private StatusEdit set(ObjectNode object, String field, @Nullable String value) {
    if (value == null) {
      object.remove(field);
    } else {
      object.put(field, value);
    }
    return this;
  }
}
