package io.tidekeeper.sandbox.operator;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.tidekeeper.sandbox.flink.FlinkCluster;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the FlinkDeployments of an API server on a Flink cluster of this JVM, and writes of them
 * what the Flink Kubernetes Operator 1.15.0 would.
 *
 * <p>It follows the operator in first deployments, upgrades by stop-with-savepoint, values that
 * make {@code main} throw, savepoints that cannot be written, suspension, failures at run time, and
 * deletion. All it needs to know is in the statuses, in Flink and on disk: it may be closed, or
 * die, at any moment, and the next one goes on.
 *
 * <p>Where it differs from the operator:
 *
 * <ul>
 *   <li>After a change while the job does not run, the next job starts from the newest checkpoint,
 *       as the operator's last-state does, but under a new id, and {@code upgradeSavepointPath} is
 *       that checkpoint instead of a word that stands for it: the cluster here takes no id twice.
 *   <li>Only application deployments; no rollback, no autoscaler, no periodic snapshots.
 *   <li>Of {@code flinkConfiguration}, what concerns a cluster of the deployment's own, such as
 *       {@code high-availability.*}, {@code taskmanager.*} or {@code metrics.*}, has no effect.
 *   <li>The job manager is never in ERROR.
 * </ul>
 *
 * <p>The client is the caller's, who closes it after this.
 */
public final class StandInOperator implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StandInOperator.class);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

  private final KubernetesClient client;
  private final Builder settings;
  private final Jobs jobs;
  private final SharedIndexInformer<GenericKubernetesResource> informer;
  private final Map<String, Running> workers = new HashMap<>();
  private boolean closed;

  private StandInOperator(KubernetesClient client, Builder settings, Jobs jobs) {
    this.client = client;
    this.settings = settings;
    this.jobs = jobs;
    var all = client.genericKubernetesResources(ApiDeployments.CONTEXT);
    ResourceEventHandler<GenericKubernetesResource> handler = new Handler();
    this.informer =
        settings.namespace == null
            ? all.inAnyNamespace().inform(handler)
            : all.inNamespace(settings.namespace).inform(handler);
  }

  /**
   * Prepares an operator.
   *
   * @param client somebody who may read and update flinkdeployments and their status, and create
   *     and update events
   */
  public static Builder on(KubernetesClient client, FlinkCluster cluster) {
    return new Builder(client, cluster);
  }

  /** Stops at once, whatever is under way, as a killed one would; the jobs run on. */
  @Override
  public void close() {
    Map<String, Running> ending;
    synchronized (workers) {
      closed = true;
      ending = Map.copyOf(workers);
    }
    informer.close();
    ending
        .values()
        .forEach(
            running -> {
              running.worker.stop();
              running.thread.interrupt();
            });
    for (Running running : ending.values()) {
      try {
        running.thread.join(STOP_LIMIT.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
      if (running.thread.isAlive()) {
        LOG.warn("{} does not stop", running.thread.getName());
      }
    }
  }

  private void poke(GenericKubernetesResource resource) {
    String namespace = resource.getMetadata().getNamespace();
    String name = resource.getMetadata().getName();
    synchronized (workers) {
      if (!closed) {
        workers
            .computeIfAbsent(namespace + "/" + name, key -> start(key, namespace, name))
            .worker
            .poke();
      }
    }
  }

  private Running start(String key, String namespace, String name) {
    Deployments deployments = new ApiDeployments(client, namespace, name);
    JobWatch watch =
        new JobWatch(
            deployments, jobs, settings.clock, settings.delays.settle(), settings.stumbles);
    Performer performer = new Performer(deployments, jobs, watch, settings.clock);
    Worker worker = new Worker(key, deployments, performer, settings.delays);
    Thread thread = new Thread(worker, "stand-in-operator " + key);
    thread.setDaemon(true);
    thread.start();
    return new Running(worker, thread);
  }

  private record Running(Worker worker, Thread thread) {}

  private final class Handler implements ResourceEventHandler<GenericKubernetesResource> {
    @Override
    public void onAdd(GenericKubernetesResource added) {
      poke(added);
    }

    @Override
    public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource after) {
      poke(after);
    }

    @Override
    public void onDelete(GenericKubernetesResource deleted, boolean finalStateUnknown) {
      poke(deleted);
    }
  }

  /** What an operator is to be like. */
  public static final class Builder {
    private final KubernetesClient client;
    private final FlinkCluster cluster;
    private final Map<String, Path> jars = new TreeMap<>();
    private final Map<String, String> options = new TreeMap<>();
    private @Nullable String namespace;
    private Delays delays = Delays.fast();
    private Clock clock = Clock.systemUTC();
    private boolean stumbles;
    private Consumer<String> beforeStart = jobId -> {};

    private Builder(KubernetesClient client, FlinkCluster cluster) {
      this.client = client;
      this.cluster = cluster;
    }

    /** Watches one namespace; by default all. */
    public Builder namespace(String name) {
      this.namespace = name;
      return this;
    }

    /** How long things take; by default {@link Delays#fast()}. */
    public Builder delays(Delays longer) {
      this.delays = longer;
      return this;
    }

    /** The time in statuses. */
    public Builder clock(Clock other) {
      this.clock = other;
      return this;
    }

    /**
     * Takes the job from a local jar.
     *
     * @param jarUri as in manifests, such as {@code local:///opt/flink/usrlib/tidekeeper-job.jar}
     */
    public Builder jar(String jarUri, Path jar) {
      jars.put(jarUri, jar.toAbsolutePath());
      return this;
    }

    /** Takes the main class from this JVM's class path for this {@code jarURI}. */
    public Builder classPath(String jarUri) {
      jars.put(jarUri, JarUris.CLASS_PATH);
      return this;
    }

    /**
     * Sets a Flink option of every job, whatever its manifest says: where this machine has no such
     * bucket, or its broker another address.
     */
    public Builder option(String name, String value) {
      options.put(name, value);
      return this;
    }

    /**
     * Whether, as with short intervals seen on the real one, each new job is not found at first: an
     * {@code error} that goes by itself.
     */
    public Builder transientErrors(boolean wanted) {
      this.stumbles = wanted;
      return this;
    }

    /**
     * Calls with a job's id before each submission, on the thread that submits: the deployment's
     * former job has ended, and the next one has not begun, until this returns.
     */
    public Builder beforeStart(Consumer<String> listener) {
      this.beforeStart = listener;
      return this;
    }

    /** Starts it; it sees to what is there at once. */
    public StandInOperator start() {
      return new StandInOperator(
          client, this, new ClusterJobs(cluster, new JarUris(jars), options, beforeStart));
    }
  }
}
