package io.tidekeeper.policy.watermark;

/**
 * A schedule by the records' own time.
 *
 * <p>With b(e) the scheduled value at the instant e and M the newest timestamp, the watermark is
 * the largest w such that every e &lt;= w has e + b(e) &lt; M; so a record of the rush hour keeps
 * the rush hour's delay even when the records that push M belong to the quiet time after it.
 *
 * <p>In a segment [s, t) of constant b the instants that are still awaited are those from M - b on:
 * there are some exactly if t &gt; M - b, the first of them is max(s, M - b). The watermark lies
 * one millisecond before the first awaited instant of all segments, and since segments follow each
 * other, that is the one of the first segment that has any. The segment that holds M always has,
 * none before the one that holds M - (largest b) does, and the first one only moves forward as M
 * rises: the cursor stays on it.
 */
final class EventTimeSchedule implements WatermarkBound {

  private final SegmentCursor cursor;
  private final long largestValue;
  private boolean positioned;
  private long positionedFor;

  EventTimeSchedule(SegmentCursor cursor) {
    this.cursor = cursor;
    this.largestValue = cursor.largestValue();
  }

  @Override
  public long watermark(long maxEventTime, long nowMillis) {
    if (maxEventTime == Long.MIN_VALUE) {
      return Long.MIN_VALUE;
    }
    moveToFirstAwaited(maxEventTime);
    long firstAwaited = Math.max(cursor.start(), Millis.minus(maxEventTime, cursor.value()));
    return Millis.minus(firstAwaited, 1);
  }

  @Override
  public long outOfOrderness(long maxEventTime, long nowMillis) {
    if (maxEventTime == Long.MIN_VALUE) {
      return largestValue;
    }
    moveToFirstAwaited(maxEventTime);
    return cursor.value();
  }

  private void moveToFirstAwaited(long maxEventTime) {
    if (positioned && positionedFor == maxEventTime) {
      return;
    }
    long earliest = Millis.minus(maxEventTime, largestValue);
    // Seeking when M has left the segment altogether makes a jump by years one step.
    if (!positioned || maxEventTime < positionedFor || earliest >= cursor.end()) {
      cursor.seek(earliest);
    }
    while (cursor.end() <= Millis.minus(maxEventTime, cursor.value())
        && cursor.end() != Long.MAX_VALUE) {
      cursor.next();
    }
    positioned = true;
    positionedFor = maxEventTime;
  }
}
