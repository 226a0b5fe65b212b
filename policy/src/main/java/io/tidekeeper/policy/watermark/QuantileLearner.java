package io.tidekeeper.policy.watermark;

import io.tidekeeper.policy.Quantile;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * The lateness of the last stretch of event time, in ten slices of which the oldest is dropped when
 * a new one begins, and the quantile of it.
 *
 * <p>Depends on the order of records only, so a replay gives the same result.
 */
final class QuantileLearner implements Learner {

  private static final int SLICES = 10;
  private static final int REFRESH = 32;

  /** In place of a bucket, while there are too few samples. */
  private static final int TOO_FEW = -1;

  // A value is at most five percent off; the last edge lies just above seven days.
  private static final LogBuckets BUCKETS = new LogBuckets(416, 1.05);

  private final Quantile settings;
  private final long cap;
  private final long sliceMillis;
  private final SourceFront front = new SourceFront();

  private final long[][] counts = new long[SLICES][BUCKETS.count()];
  private final long[] totals = new long[BUCKETS.count()];
  private long samples;
  private long slice = Long.MIN_VALUE;
  private int sinceRefresh;
  private int inForce = TOO_FEW;
  private long value;

  QuantileLearner(Quantile settings, long cap) {
    this.settings = settings;
    this.cap = cap;
    this.sliceMillis = Math.max(1, settings.window().toMillis() / SLICES);
    refresh();
  }

  @Override
  public LearnedBound join() {
    return new LearnedBound(front) {
      @Override
      long value() {
        return value;
      }

      @Override
      void learn(long timestamp, long lateness, long sourceFront) {
        if (sourceFront != Long.MIN_VALUE) {
          QuantileLearner.this.learn(lateness, sourceFront);
        }
      }
    };
  }

  @Override
  public WatermarkBound joinConstant(long outOfOrderness) {
    return new ConstantBound(outOfOrderness);
  }

  private void learn(long lateness, long sourceFront) {
    long entered = Math.floorDiv(sourceFront, sliceMillis);
    boolean moved = entered > slice;
    if (moved) {
      enter(entered);
    }
    int bucket = BUCKETS.bucketOf(lateness);
    counts[slot(slice)][bucket]++;
    totals[bucket]++;
    samples++;
    if (++sinceRefresh >= REFRESH || moved || samples == settings.minSamples()) {
      refresh();
    }
  }

  private void enter(long entered) {
    // Where no slice was entered before, or all are old, every slot is cleared.
    boolean all = slice == Long.MIN_VALUE || entered - SLICES >= slice;
    long first = all ? entered - SLICES + 1 : slice + 1;
    for (long next = first; next <= entered; next++) {
      long[] dropped = counts[slot(next)];
      for (int bucket = 0; bucket < dropped.length; bucket++) {
        totals[bucket] -= dropped[bucket];
        samples -= dropped[bucket];
      }
      Arrays.fill(dropped, 0);
    }
    slice = entered;
  }

  private static int slot(long slice) {
    return (int) Math.floorMod(slice, (long) SLICES);
  }

  private void refresh() {
    sinceRefresh = 0;
    follow(tooFew() ? TOO_FEW : bucketOf(samples * (1 - level())));
  }

  private boolean tooFew() {
    return samples < settings.minSamples();
  }

  private double level() {
    return settings.level().asFraction();
  }

  /** The bucket in which the quantile lies. */
  private int bucketOf(double beyond) {
    long sum = 0;
    int bucket = BUCKETS.count() - 1;
    while (bucket > 0 && sum + totals[bucket] <= beyond) {
      sum += totals[bucket];
      bucket--;
    }
    return bucket;
  }

  private void follow(int bucket) {
    inForce = bucket;
    long max = settings.max().toMillis();
    if (bucket == TOO_FEW) {
      value = Math.min(max, cap);
      return;
    }
    double scaled = BUCKETS.edge(bucket) * settings.factor().doubleValue();
    long rounded = (long) Math.ceil(scaled);
    value = Math.min(Math.min(Math.max(rounded, settings.min().toMillis()), max), cap);
  }

  @Override
  public byte kind() {
    return 2;
  }

  @Override
  public int snapshotBytes() {
    return 2 * Long.BYTES
        + 2 * Integer.BYTES
        + Double.BYTES
        + SLICES * BUCKETS.count() * Float.BYTES;
  }

  @Override
  public void write(ByteBuffer out) {
    out.putLong(sliceMillis).putLong(slice);
    out.putDouble(level()).putInt(inForce).putInt(sinceRefresh);
    for (long[] counted : counts) {
      for (long count : counted) {
        // Exact up to sixteen million in one slice and bucket, and to seven digits beyond.
        out.putFloat((float) count);
      }
    }
  }

  /**
   * The counts are added up and not divided: the quantile of them is the same, and the window drops
   * them soon. A learner that goes on alone continues exactly where it was, up to the record at
   * which it looks again; one of several, or for another level, looks at once.
   */
  @Override
  public void restore(List<ByteBuffer> snapshots, int subtasks) {
    boolean alone = snapshots.size() == 1 && subtasks == 1;
    for (ByteBuffer snapshot : snapshots) {
      long storedSliceMillis = snapshot.getLong();
      long storedSlice = snapshot.getLong();
      double storedLevel = snapshot.getDouble();
      int storedInForce = snapshot.getInt();
      int storedSinceRefresh = snapshot.getInt();
      if (storedSliceMillis != sliceMillis || storedSlice == Long.MIN_VALUE) {
        continue;
      }
      add(storedSlice, snapshot);
      if (alone && storedLevel == level() && (storedInForce == TOO_FEW) == tooFew()) {
        follow(storedInForce);
        sinceRefresh = storedSinceRefresh;
        return;
      }
    }
    refresh();
  }

  private void add(long storedSlice, ByteBuffer stored) {
    if (storedSlice > slice) {
      enter(storedSlice);
    }
    for (int slot = 0; slot < SLICES; slot++) {
      long itsSlice = storedSlice - Math.floorMod(storedSlice - slot, (long) SLICES);
      boolean inWindow = itsSlice > slice - SLICES;
      for (int bucket = 0; bucket < BUCKETS.count(); bucket++) {
        long count = (long) stored.getFloat();
        if (inWindow) {
          counts[slot][bucket] += count;
          totals[bucket] += count;
          samples += count;
        }
      }
    }
  }
}
