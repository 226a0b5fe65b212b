package io.tidekeeper.job.watermark;

import io.tidekeeper.job.source.SourceSubtask;
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
  private long wallClockSeen = Long.MIN_VALUE;

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
    long maxFutureSkew = subtask.maxFutureSkewMillis();
    long carried = carriedWatermark.of(element);
    long newest = Math.max(timestamp, carried);
    long reference = maxFutureSkew < 0 ? 0 : reference(element, newest, maxFutureSkew);
    subtask.current().onRecord(timestamp, reference, carried);
    return timestamp;
  }

  /** Reads the wall clock only when the last reading would call the record one from the future. */
  private long reference(T element, long timestamp, long maxFutureSkew) {
    long reference = referenceTime.of(element);
    if (reference != ReferenceTime.WALL_CLOCK) {
      return reference;
    }
    if (wallClockSeen == Long.MIN_VALUE || timestamp > wallClockSeen + maxFutureSkew) {
      wallClockSeen = wallClock.getAsLong();
    }
    return wallClockSeen;
  }
}
