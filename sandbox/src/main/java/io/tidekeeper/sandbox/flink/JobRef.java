package io.tidekeeper.sandbox.flink;

import io.tidekeeper.sandbox.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.executiongraph.ErrorInfo;
import org.apache.flink.runtime.minicluster.MiniCluster;

/**
 * A job submitted to a {@link FlinkCluster}.
 *
 * <p>Every method that waits does so for at most {@link #TIMEOUT}, unless it is given another time,
 * and then throws an {@link IllegalStateException} that says what was awaited and what was seen
 * last, the job's root exception included.
 */
public final class JobRef {
  /** How long a method waits by default. */
  public static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final MiniCluster cluster;
  private final FlinkRest rest;
  private final String savepointDir;
  private final JobID jobId;

  JobRef(MiniCluster cluster, FlinkRest rest, String savepointDir, JobID jobId) {
    this.cluster = cluster;
    this.rest = rest;
    this.savepointDir = savepointDir;
    this.jobId = jobId;
  }

  /** The job's id; every submission has its own. */
  public JobID jobId() {
    return jobId;
  }

  /** The job's status now. */
  public JobStatus status() {
    return Patience.get(
        "the status of job " + jobId, TIMEOUT, cluster.getJobStatus(jobId), () -> "nothing");
  }

  /**
   * Stops the job with a savepoint and waits until it has finished.
   *
   * @param drain whether to send the end of event time through the job first, which closes every
   *     window; false for an upgrade
   * @return where the savepoint is
   */
  public String stopWithSavepoint(boolean drain) {
    String path = get("stop with savepoint", beginStopWithSavepoint(drain));
    awaitStatus(JobStatus.FINISHED);
    return path;
  }

  /**
   * Asks the job to stop with a savepoint and does not wait. The future gives the place of the
   * savepoint once the job has finished; it fails when the savepoint does, or the job before its
   * end.
   *
   * @param drain as in {@link #stopWithSavepoint}
   */
  public CompletableFuture<String> beginStopWithSavepoint(boolean drain) {
    return beginStopWithSavepoint(drain, savepointDir);
  }

  /** The same with the savepoint in a directory of the caller's choice, given as a URI. */
  public CompletableFuture<String> beginStopWithSavepoint(boolean drain, String directory) {
    return cluster.stopWithSavepoint(jobId, directory, drain, SavepointFormatType.CANONICAL);
  }

  /** Takes a savepoint while the job goes on, and returns where it is. */
  public String triggerSavepoint() {
    return get(
        "savepoint",
        cluster.triggerSavepoint(jobId, savepointDir, false, SavepointFormatType.CANONICAL));
  }

  /** Takes a checkpoint now and returns where it is; the job must have checkpointing enabled. */
  public String triggerCheckpoint() {
    return get("checkpoint", cluster.triggerCheckpoint(jobId));
  }

  /** Cancels the job and waits until it is gone; open windows and open transactions are lost. */
  public void cancel() {
    if (!status().isGloballyTerminalState()) {
      get("cancellation", cluster.cancelJob(jobId));
      Patience.until(
          "the end of job " + jobId,
          TIMEOUT,
          () -> status().isGloballyTerminalState(),
          this::describe);
    }
  }

  /** Waits for this status. */
  public void awaitStatus(JobStatus wanted) {
    awaitStatus(wanted, TIMEOUT);
  }

  /** Waits at most so long for this status; an end in another status is an error at once. */
  public void awaitStatus(JobStatus wanted, Duration timeout) {
    Patience.until(
        "job %s to be %s".formatted(jobId, wanted),
        timeout,
        () -> {
          JobStatus now = status();
          refuseOtherEnd(now, wanted);
          return now == wanted;
        },
        this::describe);
  }

  /** Waits until every task of the job is running. */
  public void awaitRunning() {
    awaitRunning(TIMEOUT);
  }

  /** Waits at most so long until every task is running; an end of the job is an error at once. */
  public void awaitRunning(Duration timeout) {
    Patience.until(
        "job %s and all its tasks to be RUNNING".formatted(jobId),
        timeout,
        () -> {
          AccessExecutionGraph graph = graph();
          refuseOtherEnd(graph.getState(), JobStatus.RUNNING);
          return graph.getState() == JobStatus.RUNNING && allTasksRun(graph);
        },
        this::describe);
  }

  /** Whether every task of the job is running now. */
  public boolean isRunning() {
    AccessExecutionGraph graph = graph();
    return graph.getState() == JobStatus.RUNNING && allTasksRun(graph);
  }

  /** When the job was submitted, in milliseconds since the epoch. */
  public long startTime() {
    return graph().getStatusTimestamp(JobStatus.INITIALIZING);
  }

  /** The stack trace of the last failure. */
  public Optional<String> failure() {
    ErrorInfo failure = graph().getFailureInfo();
    return failure == null ? Optional.empty() : Optional.of(failure.getExceptionAsString());
  }

  /** How many times the job was restarted since it was submitted. */
  public int restarts() {
    int most = 0;
    for (AccessExecutionVertex vertex : graph().getAllExecutionVertices()) {
      most = Math.max(most, vertex.getCurrentExecutionAttempt().getAttemptNumber());
    }
    return most;
  }

  /** How many checkpoints have completed, savepoints included. */
  public long completedCheckpoints() {
    var snapshot = graph().getCheckpointStatsSnapshot();
    return snapshot == null ? 0 : snapshot.getCounts().getNumberOfCompletedCheckpoints();
  }

  /**
   * Where the newest completed checkpoint is, savepoints apart. Flink deletes checkpoints when the
   * job ends, unless {@code execution.checkpointing.externalized-checkpoint-retention} says
   * otherwise.
   */
  public Optional<String> latestCheckpoint() {
    var snapshot = graph().getCheckpointStatsSnapshot();
    var latest = snapshot == null ? null : snapshot.getHistory().getLatestCompletedCheckpoint();
    return latest == null ? Optional.empty() : Optional.ofNullable(latest.getExternalPath());
  }

  /**
   * Where the newest of all completed checkpoints and savepoints is, or else the one that the job
   * started from.
   */
  public Optional<String> latestRestorePoint() {
    var snapshot = graph().getCheckpointStatsSnapshot();
    if (snapshot == null) {
      return Optional.empty();
    }
    var checkpoint = snapshot.getHistory().getLatestCompletedCheckpoint();
    var savepoint = snapshot.getHistory().getLatestSavepoint();
    boolean savepointIsNewer =
        savepoint != null
            && (checkpoint == null || savepoint.getCheckpointId() > checkpoint.getCheckpointId());
    var latest = savepointIsNewer ? savepoint : checkpoint;
    if (latest != null) {
      return Optional.ofNullable(latest.getExternalPath());
    }
    var restored = snapshot.getLatestRestoredCheckpoint();
    return restored == null ? Optional.empty() : Optional.ofNullable(restored.getExternalPath());
  }

  /**
   * How many bytes of records in flight the latest completed checkpoint holds; only an unaligned
   * one can hold any.
   */
  public long inFlightBytesOfLatestCheckpoint() {
    var snapshot = graph().getCheckpointStatsSnapshot();
    var latest = snapshot == null ? null : snapshot.getHistory().getLatestCompletedCheckpoint();
    return latest == null ? 0 : latest.getPersistedData();
  }

  /**
   * The metrics of all subtasks of all vertices, read over REST.
   *
   * @param nameRegex what the whole name must match, such as {@code .*currentOutputWatermark}; the
   *     name is the operator's, a dot and the metric's, or the metric's alone for a task metric
   */
  public List<Metric> vertexMetrics(String nameRegex) {
    return rest.vertexMetrics(jobId, Pattern.compile(nameRegex));
  }

  /** The job's status, the tasks that do not run, and the last failure with its root cause. */
  public String describe() {
    AccessExecutionGraph graph = graph();
    StringBuilder text = new StringBuilder("job ").append(graph.getState());
    for (AccessExecutionVertex vertex : graph.getAllExecutionVertices()) {
      if (vertex.getExecutionState() != ExecutionState.RUNNING) {
        text.append(", ")
            .append(vertex.getTaskNameWithSubtaskIndex())
            .append(' ')
            .append(vertex.getExecutionState());
      }
    }
    ErrorInfo failure = graph.getFailureInfo();
    if (failure != null) {
      text.append("; root exception: ").append(rootCause(failure.getExceptionAsString()));
    }
    return text.toString();
  }

  private AccessExecutionGraph graph() {
    return Patience.get(
        "the state of job " + jobId, TIMEOUT, cluster.getExecutionGraph(jobId), () -> "nothing");
  }

  private <T> T get(String awaited, CompletableFuture<T> future) {
    return Patience.get("%s of job %s".formatted(awaited, jobId), TIMEOUT, future, this::describe);
  }

  private void refuseOtherEnd(JobStatus now, JobStatus wanted) {
    if (now != wanted && now.isGloballyTerminalState()) {
      throw new IllegalStateException(
          "job %s was to be %s and has ended: %s".formatted(jobId, wanted, describe()));
    }
  }

  private static boolean allTasksRun(AccessExecutionGraph graph) {
    for (AccessExecutionVertex vertex : graph.getAllExecutionVertices()) {
      if (vertex.getExecutionState() != ExecutionState.RUNNING) {
        return false;
      }
    }
    return true;
  }

  /** The last "Caused by" line of a stack trace, which names the innermost cause. */
  private static String rootCause(String stackTrace) {
    String cause = stackTrace.lines().findFirst().orElse("unknown");
    for (String line : stackTrace.lines().toList()) {
      if (line.startsWith("Caused by: ")) {
        cause = line.substring("Caused by: ".length());
      }
    }
    return cause;
  }
}
