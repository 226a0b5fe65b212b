package io.tidekeeper.controller.flink;

/** {@code status.reconciliationStatus.state}. */
public enum ReconciliationState {
  /** Not set. */
  NONE,
  /** The last reconciled spec was deployed. */
  DEPLOYED,
  /** Between stop and deployment. */
  UPGRADING,
  /** The last stable spec is being deployed in place of the last reconciled one. */
  ROLLING_BACK,
  /** The last stable spec runs in place of the last reconciled one. */
  ROLLED_BACK,
  /** A value of a newer operator. */
  UNKNOWN
}
