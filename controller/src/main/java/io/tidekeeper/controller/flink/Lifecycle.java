package io.tidekeeper.controller.flink;

/** {@code status.lifecycleState}. */
public enum Lifecycle {
  /** Not set: the operator has not looked at the object. */
  NONE,
  /** Known to the operator, nothing deployed. */
  CREATED,
  /** Stopped by its owner. */
  SUSPENDED,
  /** Being stopped or deployed. */
  UPGRADING,
  /** Deployed, not yet seen running. */
  DEPLOYED,
  /** Seen running once since the last change. */
  STABLE,
  /** Being rolled back by the operator. */
  ROLLING_BACK,
  /** Rolled back by the operator: the spec is not what runs. */
  ROLLED_BACK,
  /** Failed; nothing is retried. */
  FAILED,
  /** Being deleted. */
  DELETING,
  /** Deleted. */
  DELETED,
  /** A value of a newer operator. */
  UNKNOWN
}
