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

  // Each record is counted in one bucket only; readers, who are rare, add them up.
  private final AtomicLongArray counts = new AtomicLongArray(BOUNDS.length);

  static int buckets() {
    return BOUNDS.length;
  }

  static long bound(int bucket) {
    return BOUNDS[bucket];
  }

  void record(long lateness) {
    int bucket = 0;
    while (lateness > BOUNDS[bucket]) {
      bucket++;
    }
    counts.setOpaque(bucket, counts.getPlain(bucket) + 1);
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
