package io.tidekeeper.sandbox.operator;

import io.tidekeeper.sandbox.Patience;
import io.tidekeeper.sandbox.flink.FlinkCluster;
import io.tidekeeper.sandbox.flink.JobRef;
import io.tidekeeper.sandbox.flink.JobSpec;
import io.tidekeeper.sandbox.flink.SubmissionException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.jspecify.annotations.Nullable;

/** All jobs on one Flink cluster of this JVM. */
final class ClusterJobs implements Jobs {
  private static final String CHECKPOINT_DIR = "execution.checkpointing.dir";
  private static final String SAVEPOINT_DIR = "execution.checkpointing.savepoint-dir";
  private static final String RETENTION =
      "execution.checkpointing.externalized-checkpoint-retention";

  /** What concerns a cluster of the deployment's own, or the operator, but not the job. */
  private static final List<String> NOT_THE_JOBS =
      List.of(
          "kubernetes.",
          "job.autoscaler.",
          "high-availability",
          "rest.",
          "jobmanager.",
          "taskmanager.",
          "metrics.");

  private final FlinkCluster cluster;
  private final Function<String, @Nullable Path> jars;
  private final Map<String, String> overrides;
  private final Consumer<String> beforeStart;

  /**
   * @param jars the local jar for a {@code jarURI}; null: the main class is on the class path
   * @param overrides Flink options in place of what specs say
   * @param beforeStart called with a job's id before it is submitted
   */
  ClusterJobs(
      FlinkCluster cluster,
      Function<String, @Nullable Path> jars,
      Map<String, String> overrides,
      Consumer<String> beforeStart) {
    this.cluster = cluster;
    this.jars = jars;
    this.overrides = Map.copyOf(overrides);
    this.beforeStart = beforeStart;
  }

  @Override
  public JobLook look(String jobId) {
    Optional<JobRef> found = cluster.find(JobID.fromHexString(jobId));
    return found.map(ClusterJobs::look).orElseGet(JobLook::unknown);
  }

  @Override
  public String stopWithSavepoint(String jobId, DeploymentSpec spec)
      throws SavepointFailedException {
    JobRef job = cluster.find(JobID.fromHexString(jobId)).orElseThrow();
    try {
      String path =
          Patience.get(
              "savepoint of job " + jobId,
              JobRef.TIMEOUT,
              job.beginStopWithSavepoint(false, savepointDir(spec)),
              job::describe);
      job.awaitStatus(JobStatus.FINISHED);
      return path;
    } catch (IllegalStateException e) {
      rethrowIfInterrupted(e);
      throw new SavepointFailedException(e.getCause() == null ? e : e.getCause());
    }
  }

  @Override
  public void cancel(String jobId) {
    cluster.find(JobID.fromHexString(jobId)).ifPresent(JobRef::cancel);
  }

  @Override
  public void start(String jobId, DeploymentSpec spec, @Nullable String restore)
      throws JobNotStartedException {
    String uri = spec.jarUri();
    beforeStart.accept(jobId);
    try {
      JobSpec job =
          new JobSpec(
              uri == null ? null : jars.apply(uri),
              spec.entryClass(),
              spec.args(),
              jobOptions(spec),
              spec.parallelism(),
              spec.allowNonRestoredState());
      JobRef unused = cluster.submit(job, restore, JobID.fromHexString(jobId));
    } catch (SubmissionException e) {
      throw new JobNotStartedException(String.valueOf(e.getMessage()), e);
    } catch (IllegalArgumentException | IllegalStateException e) {
      rethrowIfInterrupted(e);
      if (cluster.find(JobID.fromHexString(jobId)).isEmpty()) {
        throw new JobNotStartedException(Patience.rootMessage(e), e);
      }
    }
  }

  @Override
  public @Nullable String newestOnDisk(String jobId, DeploymentSpec spec) {
    return StateOnDisk.newest(
        jobId,
        options(spec).getOrDefault(CHECKPOINT_DIR, cluster.checkpointDir()),
        savepointDir(spec));
  }

  @Override
  public String newId() {
    return new JobID().toString();
  }

  /** An operator that is being closed has learnt nothing about the job. */
  private static void rethrowIfInterrupted(RuntimeException e) {
    if (Thread.currentThread().isInterrupted()) {
      throw e;
    }
  }

  private static JobLook look(JobRef job) {
    JobStatus status = job.status();
    boolean starting =
        status == JobStatus.INITIALIZING
            || status == JobStatus.CREATED
            || (status == JobStatus.RUNNING && !job.isRunning());
    return new JobLook(
        starting ? JobLook.CREATED : status.name(),
        job.startTime(),
        job.failure().orElse(null),
        job.latestRestorePoint().orElse(null));
  }

  private String savepointDir(DeploymentSpec spec) {
    return options(spec).getOrDefault(SAVEPOINT_DIR, cluster.savepointDir());
  }

  private Map<String, String> options(DeploymentSpec spec) {
    Map<String, String> options = new TreeMap<>(spec.configuration());
    options.putAll(overrides);
    return options;
  }

  /** Checkpoints outlive their job, as under the operator: they are what it falls back to. */
  private Map<String, String> jobOptions(DeploymentSpec spec) {
    Map<String, String> options = options(spec);
    options.keySet().removeIf(key -> NOT_THE_JOBS.stream().anyMatch(key::startsWith));
    options.putIfAbsent(RETENTION, "RETAIN_ON_CANCELLATION");
    return options;
  }
}
