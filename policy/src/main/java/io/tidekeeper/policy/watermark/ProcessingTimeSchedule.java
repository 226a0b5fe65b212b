package io.tidekeeper.policy.watermark;

/** A schedule by the wall clock: the value of now applies to every record. */
final class ProcessingTimeSchedule implements WatermarkBound {

  private final SegmentCursor cursor;

  ProcessingTimeSchedule(SegmentCursor cursor) {
    this.cursor = cursor;
  }

  @Override
  public long watermark(long maxEventTime, long nowMillis) {
    return Millis.minus(Millis.minus(maxEventTime, outOfOrderness(maxEventTime, nowMillis)), 1);
  }

  @Override
  public long outOfOrderness(long maxEventTime, long nowMillis) {
    cursor.seek(nowMillis);
    return cursor.value();
  }
}
