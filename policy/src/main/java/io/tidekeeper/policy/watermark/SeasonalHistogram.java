package io.tidekeeper.policy.watermark;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Distances by hour of the day, and all hours pooled. What an hour knows loses half its weight in
 * thirty visits.
 */
final class SeasonalHistogram {

  static final int SLOTS = 24;
  static final long SLOT_MILLIS = 3_600_000;

  private static final double KEPT = Math.pow(0.5, 1 / 30.0);
  // So many records of the pool are mixed into an hour, which decide while it knows little itself.
  private static final double POOLED = 200;

  private final int buckets;
  private final double[][] counts;
  private final double[] sums = new double[SLOTS];
  private final double[] pool;
  private double poolSum;

  SeasonalHistogram(int buckets) {
    this.buckets = buckets;
    this.counts = new double[SLOTS][buckets];
    this.pool = new double[buckets];
  }

  static int slotOf(long hour) {
    return (int) Math.floorMod(hour, (long) SLOTS);
  }

  void add(int slot, int bucket) {
    counts[slot][bucket]++;
    sums[slot]++;
    pool[bucket]++;
    poolSum++;
  }

  double sum(int slot) {
    return sums[slot];
  }

  /** Fades every hour entered after one and up to another, each at most once. */
  void enter(long after, long hour) {
    for (long entered = Math.max(after + 1, hour - SLOTS + 1); entered <= hour; entered++) {
      fade(slotOf(entered));
    }
  }

  private void fade(int slot) {
    double[] own = counts[slot];
    for (int bucket = 0; bucket < buckets; bucket++) {
      pool[bucket] -= own[bucket] * (1 - KEPT);
      own[bucket] *= KEPT;
    }
    poolSum -= sums[slot] * (1 - KEPT);
    sums[slot] *= KEPT;
  }

  /**
   * The distribution at a time of day: two neighbouring hours and the pool.
   *
   * @param weight that of the second hour, 0 to 0.5
   * @param into receives the shares by bucket
   */
  void mix(int slot, int neighbour, double weight, double[] into) {
    if (poolSum <= 0) {
      Arrays.fill(into, 0);
      return;
    }
    double whole = sums[slot] * (1 - weight) + sums[neighbour] * weight + POOLED;
    double[] own = counts[slot];
    double[] next = counts[neighbour];
    for (int bucket = 0; bucket < buckets; bucket++) {
      into[bucket] =
          (own[bucket] * (1 - weight) + next[bucket] * weight + POOLED * pool[bucket] / poolSum)
              / whole;
    }
  }

  static int snapshotBytes(int buckets) {
    return SLOTS * buckets * Float.BYTES;
  }

  void write(ByteBuffer out) {
    for (double[] slot : counts) {
      for (double count : slot) {
        out.putFloat((float) count);
      }
    }
  }

  /** Adds what was written, divided. */
  void add(ByteBuffer in, double divisor) {
    for (int slot = 0; slot < SLOTS; slot++) {
      for (int bucket = 0; bucket < buckets; bucket++) {
        double count = in.getFloat() / divisor;
        counts[slot][bucket] += count;
        sums[slot] += count;
        pool[bucket] += count;
        poolSum += count;
      }
    }
  }
}
