package io.tidekeeper.controller.flink;

/** {@code spec.job.upgradeMode}. */
public enum UpgradeMode {
  /** State is thrown away; what holds when nothing is given. */
  STATELESS,
  /** From the last checkpoint. */
  LAST_STATE,
  /** Stop with a savepoint, start from it. */
  SAVEPOINT,
  /** A value of a newer operator. */
  UNKNOWN
}
