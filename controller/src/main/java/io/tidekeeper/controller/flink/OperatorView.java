package io.tidekeeper.controller.flink;

import org.jspecify.annotations.Nullable;

/**
 * What the operator says about a FlinkDeployment: its status.
 *
 * @param observedGeneration the generation it has acted on, 0 for none
 * @param lifecycle its summary; STABLE alone proves nothing
 * @param reconciliation where it stands with the last reconciled spec
 * @param jobManager the state of the JobManager
 * @param jobState the state of the job when it looked last
 * @param error what it complains about, or null
 * @param reconciled the spec it has acted on last, or null when it never has
 * @param jobId the Flink job, or null
 * @param savepoint where the running job started from, or null
 */
public record OperatorView(
    long observedGeneration,
    Lifecycle lifecycle,
    ReconciliationState reconciliation,
    JobManagerState jobManager,
    JobState jobState,
    @Nullable OperatorError error,
    @Nullable ReconciledSpec reconciled,
    @Nullable String jobId,
    @Nullable String savepoint) {

  /** The status of an object that no operator has looked at. */
  public static final OperatorView UNSEEN =
      new OperatorView(
          0,
          Lifecycle.NONE,
          ReconciliationState.NONE,
          JobManagerState.NONE,
          JobState.NONE,
          null,
          null,
          null,
          null);
}
