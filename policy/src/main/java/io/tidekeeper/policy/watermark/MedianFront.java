package io.tidekeeper.policy.watermark;

/**
 * How far a partition has come: the median of its last nine event times, as a running maximum. A
 * few clocks ahead of time do not move it, however far ahead they are.
 */
final class MedianFront {

  private static final int OF = 9;

  private final long[] ring = new long[OF];
  private final long[] sorted = new long[OF];
  private int count;
  private int oldest;
  private long front = Long.MIN_VALUE;

  /** Takes a record in; returns the front, {@link Long#MIN_VALUE} never. */
  long add(long eventTime) {
    if (count == OF) {
      remove(ring[oldest]);
    }
    ring[oldest] = eventTime;
    oldest = oldest + 1 == OF ? 0 : oldest + 1;
    insert(eventTime);
    long median = sorted[(count - 1) / 2];
    if (median > front) {
      front = median;
    }
    return front;
  }

  /** {@link Long#MIN_VALUE} before the first record. */
  long value() {
    return front;
  }

  private void remove(long eventTime) {
    int position = 0;
    while (sorted[position] < eventTime) {
      position++;
    }
    count--;
    for (int next = position; next < count; next++) {
      sorted[next] = sorted[next + 1];
    }
  }

  private void insert(long eventTime) {
    int position = count;
    while (position > 0 && sorted[position - 1] > eventTime) {
      sorted[position] = sorted[position - 1];
      position--;
    }
    sorted[position] = eventTime;
    count++;
  }
}
