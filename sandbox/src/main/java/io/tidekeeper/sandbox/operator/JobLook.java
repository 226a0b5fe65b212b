package io.tidekeeper.sandbox.operator;

import org.jspecify.annotations.Nullable;

/**
 * What Flink says about a job.
 *
 * @param state Flink's name of it, such as {@code RUNNING}; {@value #UNKNOWN} when the cluster does
 *     not know the job
 * @param startTime in milliseconds since the epoch; 0 for an unknown job
 * @param failure the stack trace of the last failure
 * @param restorePoint the newest checkpoint or savepoint of the job
 */
record JobLook(
    String state, long startTime, @Nullable String failure, @Nullable String restorePoint) {
  static final String UNKNOWN = "UNKNOWN";
  static final String CREATED = "CREATED";
  static final String RUNNING = "RUNNING";
  static final String FINISHED = "FINISHED";
  static final String FAILED = "FAILED";
  static final String CANCELED = "CANCELED";

  static JobLook unknown() {
    return new JobLook(UNKNOWN, 0, null, null);
  }

  boolean is(String wanted) {
    return state.equals(wanted);
  }

  /** Whether the job will never process another record. */
  boolean hasEnded() {
    return is(FINISHED) || is(FAILED) || is(CANCELED);
  }
}
