package io.tidekeeper.policy.watermark;

/**
 * Stands on one of the consecutive half-open segments of time {@code [start, end)} in which a
 * schedule has one value. Positions before the first {@link #seek} are undefined.
 *
 * <p>Segments are computed one UTC day at a time and kept, so that moving within the day costs
 * nothing. Neighbours may have equal values (every UTC day begins a segment): cutting a segment in
 * two changes neither the value at any instant nor a watermark, which asks for the first instant
 * with a property.
 */
final class SegmentCursor {

  private static final long DAY_MILLIS = 86_400_000;

  private final WeekPlan plan;
  private final long largestValue;

  // Segment i of the loaded day is [edges[i], edges[i + 1]) with values[i].
  private long[] edges = {0, 0};
  private long[] values = {0};
  private long utcDay;
  private int segment;
  private long computed;

  SegmentCursor(WeekPlan plan) {
    this.plan = plan;
    this.largestValue = plan.largestValue();
  }

  /** The largest value of any segment. */
  long largestValue() {
    return largestValue;
  }

  long start() {
    return edges[segment];
  }

  /** The end, exclusive; {@link Long#MAX_VALUE} for the last segment of all. */
  long end() {
    return edges[segment + 1];
  }

  /** The out-of-orderness of the segment in milliseconds. */
  long value() {
    return values[segment];
  }

  /** How many segments have been computed since the cursor exists. */
  long computed() {
    return computed;
  }

  /** Moves to the segment that holds the instant. */
  void seek(long instant) {
    if (instant < edges[0] || instant >= edges[edges.length - 1]) {
      load(Math.floorDiv(instant, DAY_MILLIS));
    }
    segment = 0;
    while (segment < values.length - 1 && instant >= edges[segment + 1]) {
      segment++;
    }
  }

  /** Moves to the next segment; not to be called on the last one of all. */
  void next() {
    if (segment < values.length - 1) {
      segment++;
    } else {
      load(utcDay + 1);
      segment = 0;
    }
  }

  private void load(long day) {
    utcDay = day;
    // The first and the last day of all are cut off by the range of long.
    long dayStart = day <= Long.MIN_VALUE / DAY_MILLIS - 1 ? Long.MIN_VALUE : day * DAY_MILLIS;
    long dayEnd = day >= Long.MAX_VALUE / DAY_MILLIS ? Long.MAX_VALUE : (day + 1) * DAY_MILLIS;
    long[] changes = plan.changesWithin(day, dayStart, dayEnd);
    edges = new long[changes.length + 2];
    edges[0] = dayStart;
    System.arraycopy(changes, 0, edges, 1, changes.length);
    edges[edges.length - 1] = dayEnd;
    values = new long[changes.length + 1];
    for (int i = 0; i < values.length; i++) {
      values[i] = plan.valueAt(edges[i]);
    }
    computed += values.length;
  }
}
