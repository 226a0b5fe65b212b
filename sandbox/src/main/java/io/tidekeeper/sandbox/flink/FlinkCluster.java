package io.tidekeeper.sandbox.flink;

import io.tidekeeper.sandbox.LocalPorts;
import io.tidekeeper.sandbox.Patience;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.runtime.messages.FlinkJobNotFoundException;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.util.ExceptionUtils;
import org.jspecify.annotations.Nullable;

/**
 * A real Flink cluster in this JVM: job manager, task managers, REST API with the web UI, and
 * Flink's metrics for Prometheus, all on 127.0.0.1 only.
 *
 * <p>Checkpoints, savepoints and temporary files go under the directory given at the start. Several
 * clusters can run side by side. Methods may be called from any thread.
 */
public final class FlinkCluster implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final ClusterSettings settings;
  private final MiniCluster cluster;
  private final URI restUri;
  private final URI prometheusUri;
  private final FlinkRest rest;

  private FlinkCluster(ClusterSettings settings, MiniCluster cluster) {
    this.settings = settings;
    this.cluster = cluster;
    this.restUri =
        Patience.get(
            "the REST endpoint", TIMEOUT, cluster.getRestAddress(), () -> "a starting cluster");
    this.prometheusUri =
        URI.create(
            "http://127.0.0.1:%d/metrics"
                .formatted(LoopbackPrometheusReporter.address(settings.ticket()).getPort()));
    this.rest = new FlinkRest(restUri);
  }

  /** Prepares a cluster whose files go under {@code dir}. */
  public static Builder in(Path dir) {
    return new Builder(dir);
  }

  /** The REST API, and in a browser the web UI: {@code http://127.0.0.1:port}. */
  public URI restUri() {
    return restUri;
  }

  /** Where Prometheus may scrape: {@code http://127.0.0.1:port/metrics}. */
  public URI prometheusUri() {
    return prometheusUri;
  }

  /**
   * Runs the program's {@code main} with the cluster's and the job's Flink options in its execution
   * environment, and submits the graph it executes. Returns once the cluster has accepted it.
   *
   * @param savepoint the savepoint or checkpoint to start from, left in place; null: start empty
   * @throws SubmissionException when {@code main} throws; the message is the original one
   * @throws IllegalArgumentException when the job jar is not there
   */
  public JobRef submit(JobSpec spec, @Nullable String savepoint) {
    return submit(spec, savepoint, new JobID());
  }

  /**
   * The same under an id that the caller has chosen; a job of that id must never have been here.
   */
  public JobRef submit(JobSpec spec, @Nullable String savepoint, JobID jobId) {
    Configuration configuration = new Configuration(cluster.getConfiguration());
    spec.configuration().forEach(configuration::setString);
    SavepointRestoreSettings restore =
        savepoint == null
            ? SavepointRestoreSettings.none()
            : SavepointRestoreSettings.forPath(savepoint, spec.allowNonRestoredState());
    return Programs.withGraph(
        spec,
        configuration,
        restore,
        graph -> {
          graph.setJobId(jobId);
          return job(
              Patience.get(
                      "submission of " + spec.mainClass(),
                      TIMEOUT,
                      cluster.submitJob(graph),
                      () -> "no answer")
                  .getJobID());
        });
  }

  /** The job of this id, running or ended; empty when the cluster knows none. */
  public Optional<JobRef> find(JobID jobId) {
    return Patience.get(
        "the status of job " + jobId,
        TIMEOUT,
        cluster
            .getJobStatus(jobId)
            .handle(
                (status, failure) -> {
                  if (failure == null) {
                    return Optional.of(job(jobId));
                  }
                  if (ExceptionUtils.findThrowable(failure, FlinkJobNotFoundException.class)
                      .isPresent()) {
                    return Optional.<JobRef>empty();
                  }
                  throw new CompletionException(failure);
                }),
        () -> "nothing");
  }

  /** The jobs that have not ended. */
  public List<JobRef> jobs() {
    return Patience.get("the list of jobs", TIMEOUT, cluster.listJobs(), () -> "nothing").stream()
        .filter(job -> !job.getJobState().isGloballyTerminalState())
        .map(job -> job(job.getJobId()))
        .toList();
  }

  /**
   * Ends a task manager; its tasks fail over to free slots elsewhere, or wait for some.
   *
   * @param index from 0, in the order of their starts; indexes are never used again
   */
  public void killTaskManager(int index) {
    Patience.get(
        "the end of task manager " + index,
        TIMEOUT,
        cluster.terminateTaskManager(index),
        () -> "a task manager that does not end");
  }

  /** Starts one more task manager with the usual number of slots. */
  public void startTaskManager() {
    try {
      cluster.startTaskManager();
    } catch (Exception e) {
      throw new IllegalStateException("a task manager did not start: " + e, e);
    }
  }

  /** One scrape of all metrics, in the Prometheus text format. */
  public String prometheus() {
    return rest.get(prometheusUri);
  }

  /** One scrape of all metrics, as samples. */
  public List<Sample> samples() {
    return PrometheusText.parse(prometheus());
  }

  /** The directory for savepoints of jobs that name none, as a URI. */
  public String savepointDir() {
    return settings.savepoints().toUri().toString();
  }

  /** The directory for checkpoints of jobs that name none, as a URI. */
  public String checkpointDir() {
    return settings.checkpoints().toUri().toString();
  }

  /** Ends every job, without a savepoint, and the cluster. */
  @Override
  public void close() {
    Patience.get(
        "the end of the Flink cluster", TIMEOUT, cluster.closeAsync(), () -> "a closing cluster");
  }

  private JobRef job(JobID jobId) {
    return new JobRef(cluster, rest, savepointDir(), jobId);
  }

  /** What a cluster is to be like before it starts. */
  public static final class Builder {
    private final Path dir;
    private final Map<String, String> overrides = new TreeMap<>();
    private int taskManagers = 1;
    private int slots = 4;
    private int restPort;
    private int prometheusPort;

    private Builder(Path dir) {
      this.dir = dir.toAbsolutePath();
    }

    /** Starts so many task managers (default 1) with so many slots each (default 4). */
    public Builder taskManagers(int count, int slotsEach) {
      this.taskManagers = count;
      this.slots = slotsEach;
      return this;
    }

    /** The port of the REST API and the web UI, 0 to 65535; by default (0) a free one. */
    public Builder restPort(int port) {
      this.restPort = port;
      return this;
    }

    /** The port for Prometheus, 0 to 65535; by default (0) a free one. */
    public Builder prometheusPort(int port) {
      this.prometheusPort = port;
      return this;
    }

    /** Sets a Flink option for the cluster, and so for every job that does not set it itself. */
    public Builder setting(String name, String value) {
      overrides.put(name, value);
      return this;
    }

    /**
     * Starts the cluster; it takes jobs when this returns.
     *
     * @throws IllegalStateException when a given port is in use, or the cluster does not start
     */
    public FlinkCluster start() {
      refuseTaken("Flink's REST API", restPort);
      refuseTaken("Flink's Prometheus reporter", prometheusPort);
      ClusterSettings settings =
          new ClusterSettings(
              dir,
              taskManagers,
              slots,
              restPort,
              prometheusPort,
              UUID.randomUUID().toString(),
              overrides);
      MiniCluster cluster =
          new MiniCluster(
              new MiniClusterConfiguration.Builder()
                  .setConfiguration(settings.toConfiguration())
                  .setNumTaskManagers(taskManagers)
                  .setNumSlotsPerTaskManager(slots)
                  .build());
      try {
        cluster.start();
        return new FlinkCluster(settings, cluster);
      } catch (Exception e) {
        cluster.closeAsync().join();
        throw new IllegalStateException(
            "the Flink cluster did not start with its files in %s: %s"
                .formatted(dir, Patience.rootMessage(e)),
            e);
      }
    }

    private static void refuseTaken(String server, int port) {
      if (port != 0 && !LocalPorts.isFree(port)) {
        throw new IllegalStateException(
            "port %d on 127.0.0.1 is in use: %s cannot listen there; choose another"
                .formatted(port, server));
      }
    }
  }
}
