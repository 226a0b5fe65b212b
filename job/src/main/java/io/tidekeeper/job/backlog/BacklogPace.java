package io.tidekeeper.job.backlog;

import io.tidekeeper.policy.PartitionOverride;
import io.tidekeeper.policy.SourceSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How often readers tell their positions and the broker is asked. */
public final class BacklogPace {

  /** For a source that no idle timeout hurries. */
  static final Duration SLOWEST = Duration.ofSeconds(5);

  /** More would be a load on the broker. */
  static final Duration FASTEST = Duration.ofMillis(200);

  /** A report, two looks and the answer to the reader, and as much again for a slow machine. */
  private static final int LOOKS_PER_IDLE_TIMEOUT = 6;

  private BacklogPace() {}

  /**
   * Often enough to know that a split is not idle before its idle timeout is over, where that is 2
   * s or longer.
   */
  public static Duration of(SourceSettings settings) {
    Duration shortest =
        shorter(SLOWEST.multipliedBy(LOOKS_PER_IDLE_TIMEOUT), settings.idleTimeout());
    for (PartitionOverride override : settings.partitionOverrides()) {
      shortest = shorter(shortest, override.idleTimeout());
    }
    Duration interval = shortest.dividedBy(LOOKS_PER_IDLE_TIMEOUT);
    return interval.compareTo(FASTEST) < 0 ? FASTEST : interval;
  }

  private static Duration shorter(Duration one, @Nullable Duration other) {
    return other == null || one.compareTo(other) < 0 ? one : other;
  }
}
