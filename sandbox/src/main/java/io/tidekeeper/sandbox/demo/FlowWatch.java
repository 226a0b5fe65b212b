package io.tidekeeper.sandbox.demo;

import io.tidekeeper.sandbox.account.Claim;
import io.tidekeeper.sandbox.account.Topics;
import io.tidekeeper.sandbox.traffic.Progress;
import io.tidekeeper.sandbox.traffic.Traffic;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Watches the results topic while traffic runs: the longest time, by phase, in which records were
 * sent and no committed result came. That is what a user means by stalled. Time in which the
 * machine sent nothing either does not count.
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
  private final double speed;
  private final Map<String, Long> longestMillis = new LinkedHashMap<>();
  private volatile @Nullable RuntimeException failure;
  private long lastEnd = -1;
  private long lastChange;

  /**
   * Begins to watch.
   *
   * @param speed how much faster the traffic's event time goes than its clock
   */
  FlowWatch(Topics topics, String topic, Traffic traffic, double speed) {
    this.speed = speed;
    this.lastChange = millis(traffic.progress());
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
    Progress progress = traffic.progress();
    String phase = progress.phase();
    long now = millis(progress);
    synchronized (longestMillis) {
      longestMillis.merge(phase, now - lastChange, Math::max);
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
    synchronized (longestMillis) {
      Long longest = longestMillis.get(phase);
      if (longest == null) {
        throw new IllegalStateException("phase '%s' was never seen".formatted(phase));
      }
      return Duration.ofMillis(longest);
    }
  }

  /** That results never paused for as long as this in a phase. */
  Claim claim(String phase, String what, Duration limit) {
    Duration longest = longest(phase);
    return new Claim(
        "results flow with " + what,
        longest.compareTo(limit) < 0,
        "with %s, results never paused longer than %.1f s (limit %d s)"
            .formatted(what, longest.toMillis() / 1e3, limit.toSeconds()),
        List.of());
  }

  /** The traffic's own clock. */
  private long millis(Progress progress) {
    return (long) (progress.eventTime() / speed);
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
