package io.tidekeeper.policy.watermark;

import io.tidekeeper.policy.Bounded;
import io.tidekeeper.policy.Monotonous;
import io.tidekeeper.policy.NoWatermarks;
import io.tidekeeper.policy.OutOfOrderness;
import io.tidekeeper.policy.Punctuated;
import io.tidekeeper.policy.Schedule;
import io.tidekeeper.policy.ScheduleClock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How far a watermark stays behind the newest record of a partition.
 *
 * <p>What a strategy learns it learns from {@link #onRecord}; otherwise results depend on the
 * arguments only. An instance may keep a cursor: it belongs to one thread, and it is fast when
 * {@code maxEventTime} rises.
 */
public interface WatermarkBound {

  /**
   * The watermark for a partition.
   *
   * @param maxEventTime the newest timestamp of the partition, or {@link Long#MIN_VALUE} for none
   * @param nowMillis the wall clock; read by schedules on processing time only
   * @return the watermark, {@link Long#MIN_VALUE} for none; values that would underflow are none
   */
  long watermark(long maxEventTime, long nowMillis);

  /**
   * The out-of-orderness in force, in milliseconds: the value that decides about records just above
   * the watermark. For a schedule this is always one of its configured values (or the cap); at a
   * falling edge the higher value stays in force until the watermark has passed the edge. While
   * there is no timestamp to go by, it is the largest value of the schedule.
   *
   * @param maxEventTime as for {@link #watermark}
   * @param nowMillis as for {@link #watermark}
   * @return 0 or more; 0 for a strategy without watermarks
   */
  long outOfOrderness(long maxEventTime, long nowMillis);

  /**
   * Takes note of an accepted record.
   *
   * @param timestampMillis its event time
   * @param latenessMillis how much older it is than the newest before it in its partition
   */
  default void onRecord(long timestampMillis, long latenessMillis) {}

  /** Takes note of the watermark that an accepted record carries. */
  default void onCarriedWatermark(long watermarkMillis) {}

  /** The partition has gone idle, or speaks again: an idle one holds nothing back. */
  default void idle(boolean idle) {}

  /** The partition is not read any longer, or follows another strategy. */
  default void close() {}

  /**
   * The bound of a strategy that learns nothing.
   *
   * @param strategy the strategy; for one that learns, the {@link SourceLearning} of its source
   *     gives the bound
   * @param cap upper limit of scheduled values, or null for none; constants are not bent
   */
  static WatermarkBound of(OutOfOrderness strategy, @Nullable Duration cap) {
    if (strategy instanceof Bounded bounded) {
      return new ConstantBound(bounded.maxOutOfOrderness().toMillis());
    }
    if (strategy instanceof Monotonous) {
      return new ConstantBound(0);
    }
    if (strategy instanceof Schedule schedule) {
      SegmentCursor cursor = new SegmentCursor(new WeekPlan(schedule, cap));
      return schedule.clock() == ScheduleClock.EventTime
          ? new EventTimeSchedule(cursor)
          : new ProcessingTimeSchedule(cursor);
    }
    if (strategy instanceof Punctuated) {
      return new CarriedBound();
    }
    if (strategy instanceof NoWatermarks) {
      return new NoBound();
    }
    throw new IllegalArgumentException(strategy.typeName() + " learns from the whole source");
  }
}
