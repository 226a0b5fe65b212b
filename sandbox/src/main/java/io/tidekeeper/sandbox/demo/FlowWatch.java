package io.tidekeeper.sandbox.demo;

import io.tidekeeper.sandbox.account.Topics;
import io.tidekeeper.sandbox.traffic.Traffic;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Watches the results topic while traffic runs: the longest time, by phase, in which no committed
 * result came. That is what a user means by stalled.
 */
final class FlowWatch implements AutoCloseable {

  private static final long LOOK_MILLIS = 500;

  private final Topics topics;
  private final Traffic traffic;
  private final String topic;
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "flow-watch");
            thread.setDaemon(true);
            return thread;
          });
  private final ScheduledFuture<?> looks;
  private final Map<String, Long> longestNanos = new LinkedHashMap<>();
  private volatile @Nullable RuntimeException failure;
  private long lastEnd = -1;
  private long lastChange = System.nanoTime();

  FlowWatch(Topics topics, String topic, Traffic traffic) {
    this.topics = topics;
    this.topic = topic;
    this.traffic = traffic;
    this.looks =
        executor.scheduleWithFixedDelay(this::lookSafely, 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** A failed look is kept; the executor would only go silent. */
  private void lookSafely() {
    try {
      look();
    } catch (RuntimeException e) {
      failure = e;
      throw e;
    }
  }

  private void look() {
    long end = topics.endOffsets(topic).values().stream().mapToLong(Long::longValue).sum();
    String phase = traffic.progress().phase();
    long now = System.nanoTime();
    synchronized (longestNanos) {
      longestNanos.merge(phase, now - lastChange, Math::max);
    }
    if (end != lastEnd) {
      lastEnd = end;
      lastChange = now;
    }
  }

  /**
   * The longest time without results seen in a phase.
   *
   * @throws IllegalStateException when watching failed, or the phase was never seen
   */
  Duration longest(String phase) {
    if (looks.isDone()) {
      throw new IllegalStateException(
          "the watch over '%s' has ended early".formatted(topic), failure);
    }
    synchronized (longestNanos) {
      Long longest = longestNanos.get(phase);
      if (longest == null) {
        throw new IllegalStateException("phase '%s' was never seen".formatted(phase));
      }
      return Duration.ofNanos(longest);
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
