package io.tidekeeper.controller.flink;

/** {@code status.jobStatus.state}. */
public enum JobState {
  /** Not set. */
  NONE,
  /** Submitted, not yet seen. */
  RECONCILING,
  /** Being set up. */
  INITIALIZING,
  /** Waits for resources. */
  CREATED,
  /** Runs. */
  RUNNING,
  /** Fails and starts anew. */
  RESTARTING,
  /** Fails for good. */
  FAILING,
  /** Has failed. */
  FAILED,
  /** Is being cancelled. */
  CANCELLING,
  /** Was cancelled. */
  CANCELED,
  /** Stopped with a savepoint, or at the end of its input. */
  FINISHED,
  /** Suspended by a shutdown of its JobManager. */
  SUSPENDED,
  /** A value of a newer operator. */
  UNKNOWN
}
