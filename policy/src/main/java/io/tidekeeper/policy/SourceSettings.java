package io.tidekeeper.policy;

import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Everything a policy says about one source of a job.
 *
 * @param outOfOrderness the watermark strategy
 * @param emitInterval how often a watermark is emitted, 1ms to 1m
 * @param maxOutOfOrdernessCap limit of scheduled values, 0s to 7 days, or null for none; a constant
 *     above it is refused
 * @param maxFutureSkew how far ahead of its reference clock a record may advance event time, 0s to
 *     365 days, or null for any
 * @param idleTimeout after how long without records a partition is idle, 1ms to 365 days, or null
 *     for never; with alignment that pauses it must be set and be longer than the update interval
 *     plus three emit intervals
 * @param alignment alignment with other sources, or null for none
 * @param lateData what happens to late records
 */
public record SourceSettings(
    OutOfOrderness outOfOrderness,
    Duration emitInterval,
    @Nullable Duration maxOutOfOrdernessCap,
    @Nullable Duration maxFutureSkew,
    @Nullable Duration idleTimeout,
    @Nullable AlignmentSettings alignment,
    LateDataSettings lateData)
    implements Serializable {

  /** The emit interval when none is given: 200 ms, Flink's own default. */
  public static final Duration DEFAULT_EMIT_INTERVAL =
      Durations.parse(PolicyOption.EMIT_INTERVAL.requiredDefault());

  /**
   * @throws IllegalArgumentException if a value is out of range or the values do not fit together;
   *     the message says why
   */
  public SourceSettings {
    Objects.requireNonNull(outOfOrderness);
    Objects.requireNonNull(lateData);
    PolicyOption.EMIT_INTERVAL.require(emitInterval);
    requireIfSet(PolicyOption.MAX_OUT_OF_ORDERNESS_CAP, maxOutOfOrdernessCap);
    requireIfSet(PolicyOption.MAX_FUTURE_SKEW, maxFutureSkew);
    requireIfSet(PolicyOption.IDLE_TIMEOUT, idleTimeout);
    List<JointRules.Violation> violations =
        JointRules.check(
            outOfOrderness, emitInterval, maxOutOfOrdernessCap, idleTimeout, alignment);
    if (!violations.isEmpty()) {
      JointRules.Violation first = violations.get(0);
      throw new IllegalArgumentException(first.option().key() + ": " + first.message());
    }
  }

  /**
   * The settings of a source that no policy speaks about: a constant given in the job's code, a
   * watermark every 200 ms, no allowed lateness and nothing else.
   *
   * @throws IllegalArgumentException if the value is not between 0s and 7 days
   */
  public static SourceSettings fallback(Duration maxOutOfOrderness) {
    return new SourceSettings(
        new Bounded(maxOutOfOrderness),
        DEFAULT_EMIT_INTERVAL,
        null,
        null,
        null,
        null,
        new LateDataSettings(Duration.ZERO, null));
  }

  private static void requireIfSet(PolicyOption option, @Nullable Duration value) {
    if (value != null) {
      option.require(value);
    }
  }
}
