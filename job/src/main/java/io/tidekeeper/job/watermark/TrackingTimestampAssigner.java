package io.tidekeeper.job.watermark;

import io.tidekeeper.job.source.SourceSubtask;
import io.tidekeeper.policy.watermark.PartitionTracker;
import java.util.function.LongSupplier;
import org.apache.flink.api.common.eventtime.TimestampAssigner;

/**
 * Assigns timestamps and takes each record into its split's tracker. This happens before the record
 * is emitted, so the operators chained behind the source find the verdict on the record they hold.
 */
final class TrackingTimestampAssigner<T> implements TimestampAssigner<T> {

  private final SourceSubtask subtask;
  private final EventTime<T> eventTime;
  private final ReferenceTime<T> referenceTime;
  private final CarriedWatermark<T> carriedWatermark;
  private final LongSupplier wallClock;

  TrackingTimestampAssigner(
      SourceSubtask subtask,
      EventTime<T> eventTime,
      ReferenceTime<T> referenceTime,
      CarriedWatermark<T> carriedWatermark,
      LongSupplier wallClock) {
    this.subtask = subtask;
    this.eventTime = eventTime;
    this.referenceTime = referenceTime;
    this.carriedWatermark = carriedWatermark;
    this.wallClock = wallClock;
  }

  @Override
  public long extractTimestamp(T element, long recordTimestamp) {
    long timestamp = eventTime.of(element);
    long carried = carriedWatermark.of(element);
    long reference = referenceTime.of(element);
    if (reference == ReferenceTime.WALL_CLOCK) {
      reference = byWallClock(Math.max(timestamp, carried));
    }
    subtask.current().onRecord(timestamp, reference, carried);
    return timestamp;
  }

  /** The clock is read only where its last reading would call the record one from the future. */
  private long byWallClock(long newest) {
    if (newest <= subtask.trustedUntil()) {
      return PartitionTracker.TRUSTED;
    }
    long now = wallClock.getAsLong();
    subtask.wallClockRead(now);
    return now;
  }
}
