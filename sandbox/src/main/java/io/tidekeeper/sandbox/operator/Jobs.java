package io.tidekeeper.sandbox.operator;

import org.jspecify.annotations.Nullable;

/** The jobs on Flink, by their ids. */
interface Jobs {

  /** What the job is now. */
  JobLook look(String jobId);

  /**
   * Stops the job with a savepoint and waits for it.
   *
   * @param spec names the directory
   * @return where the savepoint is
   * @throws SavepointFailedException when there is none; the job may run on
   */
  String stopWithSavepoint(String jobId, DeploymentSpec spec) throws SavepointFailedException;

  /** Ends the job if it runs, and waits for that. */
  void cancel(String jobId);

  /**
   * Runs {@code main} and submits its job under the id; returns when Flink has it.
   *
   * @param restore a savepoint or checkpoint; null: start empty
   * @throws JobNotStartedException when {@code main} throws, or Flink does not take the job
   */
  void start(String jobId, DeploymentSpec spec, @Nullable String restore)
      throws JobNotStartedException;

  /**
   * The newest savepoint or checkpoint on disk of a job that the cluster may have forgotten; null
   * when there is none.
   *
   * @param spec names the directories
   */
  @Nullable String newestOnDisk(String jobId, DeploymentSpec spec);

  /** An id that no job has. */
  String newId();

  /** A savepoint that was not taken. */
  final class SavepointFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    SavepointFailedException(Throwable cause) {
      super("Savepoint Error", cause);
    }
  }

  /** A job that never was. */
  final class JobNotStartedException extends Exception {
    private static final long serialVersionUID = 1L;

    JobNotStartedException(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
