package io.tidekeeper.sandbox.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** The {@code status} of a FlinkDeployment: what the operator reads of it. Immutable. */
record DeploymentStatus(JsonNode json) {
  static final DeploymentStatus EMPTY = new DeploymentStatus(Json.object());

  static final String UPGRADING = "UPGRADING";
  static final String DEPLOYED = "DEPLOYED";

  static final String MISSING = "MISSING";
  static final String DEPLOYING = "DEPLOYING";
  static final String DEPLOYED_NOT_READY = "DEPLOYED_NOT_READY";
  static final String READY = "READY";

  static final String RECONCILING = "RECONCILING";

  /** Whether the operator has written nothing yet. */
  boolean isEmpty() {
    return lastReconciledText() == null;
  }

  long observedGeneration() {
    return json.path("observedGeneration").asLong(-1);
  }

  /** {@link #UPGRADING} or {@link #DEPLOYED}. */
  @Nullable String reconciliationState() {
    return Json.text(reconciliation(), "state");
  }

  boolean isUpgrading() {
    return UPGRADING.equals(reconciliationState());
  }

  /** What was reconciled last; there is none in an empty status. */
  RecordedSpec lastReconciled() {
    String text = lastReconciledText();
    if (text == null) {
      throw new IllegalStateException("nothing was reconciled yet");
    }
    return RecordedSpec.parse(text);
  }

  @Nullable String lastReconciledText() {
    return Json.text(reconciliation(), "lastReconciledSpec");
  }

  @Nullable String lastStableText() {
    return Json.text(reconciliation(), "lastStableSpec");
  }

  /** When that was recorded, in milliseconds since the epoch. */
  long reconciliationTimestamp() {
    return reconciliation().path("reconciliationTimestamp").asLong(0);
  }

  /** Whether the other one differs in nothing but the time of its last look. */
  boolean saysTheSame(DeploymentStatus other) {
    return withoutTime().equals(other.withoutTime());
  }

  @Nullable String jobManager() {
    return Json.text(json, "jobManagerDeploymentStatus");
  }

  @Nullable String jobState() {
    return Json.text(job(), "state");
  }

  @Nullable String jobId() {
    return Json.text(job(), "jobId");
  }

  @Nullable String upgradeSavepoint() {
    return Json.text(job(), "upgradeSavepointPath");
  }

  @Nullable String error() {
    return Json.text(json, "error");
  }

  /** A copy to change. */
  StatusEdit edit() {
    ObjectNode copy = json.deepCopy();
    return new StatusEdit(copy);
  }

  private JsonNode withoutTime() {
    ObjectNode copy = json.deepCopy();
    copy.withObject("/jobStatus").remove("updateTime");
    return copy;
  }

  private JsonNode reconciliation() {
    return json.path("reconciliationStatus");
  }

  private JsonNode job() {
    return json.path("jobStatus");
  }
}
