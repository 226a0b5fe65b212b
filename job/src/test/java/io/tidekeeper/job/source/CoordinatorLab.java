package io.tidekeeper.job.source;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.eventtime.WatermarkAlignmentParams;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.OperatorCoordinatorMetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.checkpoint.CheckpointCoordinator;
import org.apache.flink.runtime.executiongraph.ExecutionAttemptID;
import org.apache.flink.runtime.executiongraph.ExecutionGraphID;
import org.apache.flink.runtime.jobgraph.JobVertexID;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.messages.Acknowledge;
import org.apache.flink.runtime.operators.coordination.CoordinatorStore;
import org.apache.flink.runtime.operators.coordination.CoordinatorStoreImpl;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.apache.flink.runtime.operators.coordination.OperatorEvent;
import org.apache.flink.runtime.scheduler.strategy.ExecutionVertexID;
import org.apache.flink.runtime.source.coordinator.SourceCoordinatorProvider;
import org.apache.flink.runtime.source.event.ReaderRegistrationEvent;
import org.apache.flink.runtime.source.event.SourceEventWrapper;
import org.jspecify.annotations.Nullable;

/** Flink's own coordinator of a source, with readers that only write down what they are sent. */
final class CoordinatorLab implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int PARALLELISM = 3;

  private final OperatorID operator = new OperatorID();
  private final Context context = new Context();
  private final OperatorCoordinator coordinator;
  private final List<String> calls;
  private final Map<Integer, List<SourceEvent>> received = new ConcurrentHashMap<>();
  private final Map<Integer, Boolean> deaf = new ConcurrentHashMap<>();
  private final Map<String, Gauge<?>> gauges = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  CoordinatorLab(PolicySource<?, ?, ?> source, List<String> calls) {
    this.calls = calls;
    try {
      this.coordinator =
          new SourceCoordinatorProvider<>(
                  "trips",
                  operator,
                  source,
                  1,
                  WatermarkAlignmentParams.WATERMARK_ALIGNMENT_DISABLED,
                  null)
              .create(context);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  void start() throws Exception {
    coordinator.start();
    settle();
  }

  /** A reader is there; it has taken an attempt of its task. */
  void register(int subtask, int attempt) throws Exception {
    coordinator.executionAttemptReady(subtask, attempt, new Gateway(subtask, attempt));
    coordinator.handleEventFromOperator(
        subtask, attempt, new ReaderRegistrationEvent(subtask, "here"));
    settle();
  }

  void fail(int subtask, int attempt) throws Exception {
    coordinator.executionAttemptFailed(subtask, attempt, new IllegalStateException("killed"));
    settle();
  }

  void reset(int subtask) throws Exception {
    coordinator.subtaskReset(subtask, 1);
    settle();
  }

  /** A failure of the whole job: Flink closes the coordinator and makes another one. */
  void replace() throws Exception {
    coordinator.resetToCheckpoint(-1, null);
    awaitUntil(() -> calls.stream().filter("start"::equals).count() == 2);
  }

  void checkpoint(long id) throws Exception {
    CompletableFuture<byte[]> state = new CompletableFuture<>();
    coordinator.checkpointCoordinator(id, state);
    state.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    coordinator.notifyCheckpointComplete(id);
    settle();
  }

  void send(int subtask, int attempt, SourceEvent event) throws Exception {
    coordinator.handleEventFromOperator(subtask, attempt, new SourceEventWrapper(event));
    settle();
  }

  /** From now on the reader takes no events. */
  void deafen(int subtask) {
    deaf.put(subtask, true);
  }

  /** What the wrapped enumerator was called for. */
  List<String> calls() {
    return List.copyOf(calls);
  }

  /** All source events that a reader was sent. */
  List<SourceEvent> received(int subtask) {
    return List.copyOf(received.getOrDefault(subtask, List.of()));
  }

  /** Those of the exchange. */
  List<ExchangeEvent> ours(int subtask) {
    List<ExchangeEvent> ours = new ArrayList<>();
    for (SourceEvent event : received(subtask)) {
      if (event instanceof ExchangeEvent exchange) {
        ours.add(exchange);
      }
    }
    return ours;
  }

  /** A gauge below {@code tidekeeper}, null when there is none. */
  @Nullable Object gauge(String name) {
    Gauge<?> gauge = gauges.get("enumerator.tidekeeper." + name);
    return gauge == null ? null : gauge.getValue();
  }

  void awaitGauge(String name, long value) throws Exception {
    awaitUntil(() -> Long.valueOf(value).equals(gauge(name)));
    settle();
  }

  /** What the job was failed with, null when it was not. */
  @Nullable Throwable failure() {
    return failure.get();
  }

  List<String> threads() {
    return liveThreads();
  }

  /** The threads in this JVM that look at policy files or ask for a backlog. */
  static List<String> liveThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .map(Thread::getName)
        .filter(name -> name.startsWith("tidekeeper-"))
        .toList();
  }

  void awaitUntil(Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("received " + received + ", gauges " + gauges.keySet());
      }
      new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
    }
  }

  /** Waits until the coordinator's thread has done all that came before. */
  private void settle() throws Exception {
    CompletableFuture<byte[]> done = new CompletableFuture<>();
    int before = calls.size();
    coordinator.checkpointCoordinator(Long.MAX_VALUE, done);
    done.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    calls.remove("snapshot " + Long.MAX_VALUE);
    if (before > calls.size()) {
      throw new IllegalStateException("calls were lost");
    }
  }

  @Override
  public void close() throws Exception {
    coordinator.close();
    awaitUntil(() -> liveThreads().isEmpty());
  }

  private final class Gateway implements OperatorCoordinator.SubtaskGateway {
    private final ExecutionAttemptID attempt;

    Gateway(int subtask, int attempt) {
      this.attempt =
          new ExecutionAttemptID(
              new ExecutionGraphID(), new ExecutionVertexID(new JobVertexID(), subtask), attempt);
    }

    @Override
    public CompletableFuture<Acknowledge> sendEvent(OperatorEvent event) {
      if (deaf.containsKey(getSubtask())) {
        throw new IllegalStateException("SubtaskGateway is not ready, task not yet running.");
      }
      if (event instanceof SourceEventWrapper wrapper) {
        received
            .computeIfAbsent(getSubtask(), any -> new CopyOnWriteArrayList<>())
            .add(wrapper.getSourceEvent());
      }
      return CompletableFuture.completedFuture(Acknowledge.get());
    }

    @Override
    public ExecutionAttemptID getExecution() {
      return attempt;
    }

    @Override
    public int getSubtask() {
      return attempt.getSubtaskIndex();
    }
  }

  /** Keeps gauges as Flink does: the first one of a name stays. */
  private final class Metrics extends UnregisteredMetricsGroup
      implements OperatorCoordinatorMetricGroup {
    private final String path;
    private final Map<String, Metrics> children = new HashMap<>();

    Metrics(String path) {
      this.path = path;
    }

    @Override
    public <T, G extends Gauge<T>> G gauge(String name, G gauge) {
      gauges.putIfAbsent(path + name, gauge);
      return gauge;
    }

    @Override
    public MetricGroup addGroup(String name) {
      return children.computeIfAbsent(name, key -> new Metrics(path + key + "."));
    }

    @Override
    public MetricGroup addGroup(String key, String value) {
      return addGroup(key).addGroup(value);
    }
  }

  private final class Context implements OperatorCoordinator.Context {
    private final JobID job = new JobID();
    private final CoordinatorStore store = new CoordinatorStoreImpl();
    private final Metrics metrics = new Metrics("");

    @Override
    public JobID getJobID() {
      return job;
    }

    @Override
    public OperatorID getOperatorId() {
      return operator;
    }

    @Override
    public OperatorCoordinatorMetricGroup metricGroup() {
      return metrics;
    }

    @Override
    public void failJob(Throwable cause) {
      failure.compareAndSet(null, cause);
    }

    @Override
    public int currentParallelism() {
      return PARALLELISM;
    }

    @Override
    public ClassLoader getUserCodeClassloader() {
      return CoordinatorLab.class.getClassLoader();
    }

    @Override
    public CoordinatorStore getCoordinatorStore() {
      return store;
    }

    @Override
    public boolean isConcurrentExecutionAttemptsSupported() {
      return false;
    }

    @Override
    public @Nullable CheckpointCoordinator getCheckpointCoordinator() {
      return null;
    }
  }
}
