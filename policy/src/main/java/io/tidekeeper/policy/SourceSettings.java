package io.tidekeeper.policy;

import java.io.Serializable;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Everything a policy says about one source of a job.
 *
 * @param outOfOrderness the watermark strategy
 * @param emitInterval how often a watermark is emitted, 1ms to 1m
 * @param emitEveryRecords how many records of a partition there are from one watermark to the next,
 *     1 to 1,000,000,000, or null: the interval decides. With it, the interval is how often
 *     idleness is checked
 * @param maxOutOfOrdernessCap limit of scheduled and learned values, 0s to 7 days, or null for
 *     none; a constant above it is refused
 * @param maxFutureSkew how far ahead of its reference clock a record may advance event time, 0s to
 *     365 days, or null for any
 * @param idleTimeout after how long without records a partition is idle, 1ms to 365 days, or null
 *     for never; with alignment that pauses it must be set and be longer than the update interval
 *     plus three emit intervals
 * @param partitionOverrides what differs for some partitions, at most 16; no partition twice. Their
 *     order means nothing, so they are kept sorted by name
 * @param alignment alignment with other sources, or null for none
 * @param lateData what happens to late records
 */
public record SourceSettings(
    OutOfOrderness outOfOrderness,
    Duration emitInterval,
    @Nullable Integer emitEveryRecords,
    @Nullable Duration maxOutOfOrdernessCap,
    @Nullable Duration maxFutureSkew,
    @Nullable Duration idleTimeout,
    List<PartitionOverride> partitionOverrides,
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
    if (emitEveryRecords != null) {
      PolicyOption.EMIT_EVERY_RECORDS.require(BigDecimal.valueOf(emitEveryRecords));
    }
    partitionOverrides = OverrideText.sorted(partitionOverrides);
    List<String> complaints = OverrideText.complaintsAbout(partitionOverrides);
    if (!complaints.isEmpty()) {
      throw new IllegalArgumentException(
          PolicyOption.PARTITION_OVERRIDES.key() + " " + String.join("; ", complaints));
    }
    List<JointRules.Violation> violations =
        JointRules.check(
            outOfOrderness,
            emitInterval,
            maxOutOfOrdernessCap,
            idleTimeout,
            partitionOverrides,
            alignment);
    if (!violations.isEmpty()) {
      JointRules.Violation first = violations.get(0);
      throw new IllegalArgumentException(first.option().key() + ": " + first.message());
    }
  }

  /** Settings that emit by time and have no partition overrides. */
  public SourceSettings(
      OutOfOrderness outOfOrderness,
      Duration emitInterval,
      @Nullable Duration maxOutOfOrdernessCap,
      @Nullable Duration maxFutureSkew,
      @Nullable Duration idleTimeout,
      @Nullable AlignmentSettings alignment,
      LateDataSettings lateData) {
    this(
        outOfOrderness,
        emitInterval,
        null,
        maxOutOfOrdernessCap,
        maxFutureSkew,
        idleTimeout,
        List.of(),
        alignment,
        lateData);
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

  /** The override of a split, by its id ({@code topic-partition} with Kafka), or null for none. */
  public @Nullable PartitionOverride overrideFor(String splitId) {
    for (PartitionOverride override : partitionOverrides) {
      if (override.covers(splitId)) {
        return override;
      }
    }
    return null;
  }

  /** The idle timeout of a split: that of its override, else the source's; null for never idle. */
  public @Nullable Duration idleTimeoutFor(String splitId) {
    PartitionOverride override = overrideFor(splitId);
    return override == null || override.idleTimeout() == null
        ? idleTimeout
        : override.idleTimeout();
  }

  private static void requireIfSet(PolicyOption option, @Nullable Duration value) {
    if (value != null) {
      option.require(value);
    }
  }
}
