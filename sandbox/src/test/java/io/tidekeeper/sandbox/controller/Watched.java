package io.tidekeeper.sandbox.controller;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.tidekeeper.crds.HistoryEntry;
import io.tidekeeper.crds.TargetStatus;
import io.tidekeeper.crds.WatermarkPolicy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Everything that a watch shows of a subway job's policy and FlinkDeployment. */
final class Watched implements AutoCloseable {

  private final List<Watch> watches;
  private final List<String> jobs = new ArrayList<>();
  private final Map<String, String> rollouts = new LinkedHashMap<>();
  private long generation;
  private String version = "";
  private @Nullable Trap trap;
  private @Nullable WatcherException failure;

  /** What has happened so far: the generation of the target, jobs submitted, rollouts ended. */
  record Sum(long generation, int jobs, List<String> outcomes) {}

  private record Trap(Predicate<TargetStatus> wanted, Runnable action) {}

  Watched(KubernetesClient client, String namespace) {
    watches =
        List.of(
            client
                .genericKubernetesResources(Cluster.FLINK_DEPLOYMENTS)
                .inNamespace(namespace)
                .withName(Subway.TARGET)
                .watch(new Each<GenericKubernetesResource>(this::see)),
            client
                .resources(WatermarkPolicy.class)
                .inNamespace(namespace)
                .withName(Subway.POLICY)
                .watch(new Each<WatermarkPolicy>(this::see)));
  }

  /** Does this once, at the moment in which the target is first seen like that. */
  synchronized void once(Predicate<TargetStatus> wanted, Runnable action) {
    trap = new Trap(wanted, action);
  }

  /** Whether what {@link #once} waits for has not been seen. */
  synchronized boolean isArmed() {
    return trap != null;
  }

  /** Gives up on what {@link #once} waits for; false when it has been seen. */
  synchronized boolean disarm() {
    boolean armed = trap != null;
    trap = null;
    return armed;
  }

  /** The newest version of the target seen. */
  synchronized String version() {
    return version;
  }

  synchronized Sum sum() {
    if (failure != null) {
      throw new IllegalStateException("a watch has ended; what it missed is not known", failure);
    }
    return new Sum(generation, jobs.size(), List.copyOf(rollouts.values()));
  }

  @Override
  public void close() {
    watches.forEach(Watch::close);
  }

  private synchronized void see(GenericKubernetesResource deployment) {
    version = deployment.getMetadata().getResourceVersion();
    generation = Math.max(generation, deployment.getMetadata().getGeneration());
    String job = deployment.get("status", "jobStatus", "jobId");
    if (job != null && !jobs.contains(job)) {
      jobs.add(job);
    }
  }

  private synchronized void see(WatermarkPolicy policy) {
    if (policy.getStatus() == null || policy.getStatus().targets().isEmpty()) {
      return;
    }
    TargetStatus now = policy.getStatus().targets().get(0);
    List<HistoryEntry> history = now.history();
    for (int i = history.size() - 1; i >= 0; i--) {
      HistoryEntry entry = history.get(i);
      rollouts.putIfAbsent(entry.change() + " " + entry.finishedAt(), entry.outcome());
    }
    if (trap != null && trap.wanted.test(now)) {
      trap.action.run();
      trap = null;
    }
  }

  private synchronized void ended(@Nullable WatcherException cause) {
    failure = cause == null ? failure : cause;
  }

  private final class Each<T> implements Watcher<T> {
    private final Consumer<T> consumer;

    Each(Consumer<T> consumer) {
      this.consumer = consumer;
    }

    @Override
    public void eventReceived(Action action, T resource) {
      if (action == Action.ADDED || action == Action.MODIFIED) {
        consumer.accept(resource);
      }
    }

    @Override
    public void onClose(@Nullable WatcherException cause) {
      ended(cause);
    }
  }
}
