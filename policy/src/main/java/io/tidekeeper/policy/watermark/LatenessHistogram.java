package io.tidekeeper.policy.watermark;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts lateness by buckets. One thread records, any thread reads: opaque stores cost the writer
 * nothing over plain ones, yet a reader sees whole values, and soon.
 */
final class LatenessHistogram {

  private static final long[] BOUNDS = {
    0,
    100,
    500,
    1_000,
    2_000,
    5_000,
    10_000,
    20_000,
    30_000,
    60_000,
    120_000,
    300_000,
    600_000,
    Long.MAX_VALUE
  };

  // The bucket of the smallest lateness with as many binary digits: the way from there to the right
  // one is no step or one nearly always, where a search from below would be a guess per record.
  private static final byte[] FIRST_BY_DIGITS = firstByDigits();

  // Each record is counted in one bucket only; readers, who are rare, add them up.
  private final AtomicLongArray counts = new AtomicLongArray(BOUNDS.length);

  static int buckets() {
    return BOUNDS.length;
  }

  static long bound(int bucket) {
    return BOUNDS[bucket];
  }

  void record(long lateness) {
    int bucket = FIRST_BY_DIGITS[digits(lateness)];
    while (lateness > BOUNDS[bucket]) {
      bucket++;
    }
    counts.setOpaque(bucket, counts.getPlain(bucket) + 1);
  }

  private static int digits(long lateness) {
    return Long.SIZE - Long.numberOfLeadingZeros(lateness);
  }

  private static byte[] firstByDigits() {
    byte[] first = new byte[Long.SIZE];
    for (int digits = 1; digits < Long.SIZE; digits++) {
      while (1L << (digits - 1) > BOUNDS[first[digits]]) {
        first[digits]++;
      }
    }
    return first;
  }

  /** Records with a lateness up to the bucket's bound. */
  long cumulative(int bucket) {
    long sum = 0;
    for (int i = 0; i <= bucket; i++) {
      sum += counts.getOpaque(i);
    }
    return sum;
  }

  /**
   * Upper bound of the bucket that holds a share's last record, the first bucket's without any
   * record.
   */
  long quantile(double share) {
    // Records that come meanwhile only let the rank be reached earlier.
    long rank = (long) Math.ceil(share * total());
    int bucket = 0;
    long sum = counts.getOpaque(0);
    while (sum < rank && bucket < BOUNDS.length - 1) {
      bucket++;
      sum += counts.getOpaque(bucket);
    }
    return BOUNDS[bucket];
  }

  /** All records. */
  long total() {
    return cumulative(BOUNDS.length - 1);
  }
}
