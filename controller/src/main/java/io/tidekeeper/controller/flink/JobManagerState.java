package io.tidekeeper.controller.flink;

/** {@code status.jobManagerDeploymentStatus}. */
public enum JobManagerState {
  /** Not set. */
  NONE,
  /** Answers over REST. */
  READY,
  /** Its pod runs, its REST does not answer yet. */
  DEPLOYED_NOT_READY,
  /** Its pod starts. */
  DEPLOYING,
  /** There is none. */
  MISSING,
  /** Cannot start. */
  ERROR,
  /** A value of a newer operator. */
  UNKNOWN
}
