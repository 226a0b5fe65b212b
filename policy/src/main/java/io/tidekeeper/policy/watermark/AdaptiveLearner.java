package io.tidekeeper.policy.watermark;

import io.tidekeeper.policy.Adaptive;
import io.tidekeeper.policy.LateShareOver;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The smallest bound that keeps the share of late records: a histogram of distances behind the
 * front by hour of the day, a plan that spreads the late records over the hours, and a control of
 * the realised share. One of them for a source subtask; the front is that of its slowest partition.
 *
 * <p>Depends on the order of records only, so a replay gives the same result.
 */
final class AdaptiveLearner implements Learner {

  // The last edge lies at 45 days.
  private static final LogBuckets BUCKETS = new LogBuckets(128, 1.19);
  private static final int REFRESH = 32;
  private static final int EAGER = 200;
  private static final int PLAN = 4096;
  private static final double FAIR = 3;
  private static final double ENOUGH_LATE = 3;
  private static final int INITIAL_TIMES = 4;
  private static final long NONE = Long.MIN_VALUE;

  private final double asked;
  private final boolean eachHour;
  private final double min;
  private final double max;
  private final long initial;

  private final SourceFront front = new SourceFront();
  private final SeasonalHistogram histogram = new SeasonalHistogram(BUCKETS.count());
  private final AllocationPlan plan = new AllocationPlan(BUCKETS);
  private final LateShareControl control;
  private final double[] mixed = new double[BUCKETS.count()];

  private long watermark = NONE;
  private long firstFront = NONE;
  private long hour = NONE;
  private long seen;
  private long maxDistance;
  private int sincePlan;
  private long value;
  private boolean atMax;
  private boolean atMin;
  private boolean stale;

  AdaptiveLearner(Adaptive settings, long cap) {
    this.asked = settings.lateShare().asFraction();
    this.eachHour = settings.lateShareOver() == LateShareOver.EachHour;
    this.max = (double) Math.min(settings.max().toMillis(), cap);
    this.min = Math.min((double) settings.min().toMillis(), max);
    this.initial = settings.initial().toMillis();
    this.control = new LateShareControl(asked);
    this.value = (long) Math.min((double) initial, max);
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
        if (sourceFront != NONE) {
          AdaptiveLearner.this.learn(timestamp, sourceFront);
        }
      }

      /** The median stands for the newest record here. */
      @Override
      public long watermark(long maxEventTime, long nowMillis) {
        return super.watermark(front(), nowMillis);
      }
    };
  }

  @Override
  public WatermarkBound joinConstant(long outOfOrderness) {
    return new ConstantBound(outOfOrderness);
  }

  /** The instant from which on no record is late, by the bounds so far. */
  long watermark() {
    return watermark;
  }

  private void learn(long timestamp, long sourceFront) {
    boolean first = seen == 0;
    if (first) {
      firstFront = sourceFront;
    } else {
      watermark = Math.max(watermark, Millis.minus(sourceFront, value));
      control.realised(timestamp < watermark, !atMax, !atMin);
    }
    long distance = Millis.behind(timestamp, sourceFront);
    maxDistance = Math.max(maxDistance, distance);
    control.observed((double) distance);
    long entered = Math.floorDiv(sourceFront, SeasonalHistogram.SLOT_MILLIS);
    boolean newHour = hour == NONE || entered > hour;
    if (newHour) {
      if (hour != NONE) {
        histogram.enter(hour, entered);
      }
      hour = entered;
    }
    histogram.add(SeasonalHistogram.slotOf(entered), BUCKETS.bucketOf(distance));
    boolean due = seen % REFRESH == 0;
    seen++;
    sincePlan++;
    boolean powerOfTwo = seen <= PLAN && (seen & (seen - 1)) == 0;
    if (newHour || powerOfTwo || sincePlan >= PLAN || stale) {
      replan(sourceFront);
    }
    if (newHour || due || seen < EAGER || stale) {
      refresh(sourceFront);
    }
    stale = false;
  }

  private void replan(long sourceFront) {
    sincePlan = 0;
    long span = Math.max(Millis.between(firstFront, sourceFront), SeasonalHistogram.SLOT_MILLIS);
    control.tune(seen / (double) span);
    if (!eachHour) {
      plan.plan(histogram, control.plannedShare(), asked);
    }
  }

  private void refresh(long sourceFront) {
    mixAround(sourceFront);
    control.watch(BUCKETS, mixed);
    double share = control.shareNow();
    double bound;
    if (eachHour) {
      bound = BUCKETS.exceededBy(mixed, share);
    } else {
      // Never more than so many times the share in any hour, however much delay that would save.
      double fair = BUCKETS.exceededBy(mixed, Math.min(FAIR * share, 0.999));
      bound = Math.max(plan.bound(mixed, share), fair);
    }
    double lateSoFar = seen * asked;
    long age = Millis.between(firstFront, sourceFront);
    if (age / INITIAL_TIMES < initial || lateSoFar < ENOUGH_LATE) {
      bound = Math.max(bound, (double) initial);
    }
    if (lateSoFar < ENOUGH_LATE) {
      // The tail cannot be seen yet: the largest distance so far, and up to a half above it.
      bound = Math.max(bound, maxDistance * (1 + 0.5 * (1 - lateSoFar / ENOUGH_LATE)));
    }
    atMax = bound > max;
    atMin = bound < min;
    value = (long) Math.min(Math.max(bound, min), max);
  }

  /** The distribution of this hour, blended with that of the nearer neighbour. */
  private void mixAround(long sourceFront) {
    int slot = SeasonalHistogram.slotOf(hour);
    double within =
        Math.floorMod(sourceFront, SeasonalHistogram.SLOT_MILLIS)
            / (double) SeasonalHistogram.SLOT_MILLIS;
    double fromMiddle = within - 0.5;
    int neighbour = SeasonalHistogram.slotOf(fromMiddle > 0 ? slot + 1L : slot - 1L);
    histogram.mix(slot, neighbour, Math.abs(fromMiddle), mixed);
  }

  @Override
  public byte kind() {
    return 3;
  }

  @Override
  public int snapshotBytes() {
    return 5 * Long.BYTES
        + Integer.BYTES
        + 3 * Double.BYTES
        + LateShareControl.snapshotBytes()
        + SeasonalHistogram.snapshotBytes(BUCKETS.count());
  }

  @Override
  public void write(ByteBuffer out) {
    out.putLong(seen).putLong(firstFront).putLong(hour).putLong(maxDistance).putLong(value);
    out.putInt(sincePlan);
    out.putDouble(asked).putDouble(plan.price()).putDouble(plan.plannedShare());
    control.write(out);
    histogram.write(out);
  }

  /**
   * Histograms are added up; the terms of plan and control are weighted by records. A learner that
   * goes on alone continues exactly where it was; one of several, or for another share, plans anew
   * at its first record.
   */
  @Override
  public void restore(List<ByteBuffer> snapshots, int subtasks) {
    boolean otherShare = false;
    double weight = 0;
    double price = 0;
    double plannedShare = 0;
    for (ByteBuffer in : snapshots) {
      long itsSeen = in.getLong();
      long itsFirst = in.getLong();
      long itsHour = in.getLong();
      long itsMaxDistance = in.getLong();
      long itsValue = in.getLong();
      int itsSincePlan = in.getInt();
      otherShare |= in.getDouble() != asked;
      double itsPrice = in.getDouble();
      double itsPlannedShare = in.getDouble();
      LateShareControl itsControl = new LateShareControl(asked);
      itsControl.read(in);
      histogram.add(in, subtasks);
      if (itsSeen == 0) {
        continue;
      }
      weight += itsSeen;
      double part = itsSeen / weight;
      control.blend(itsControl, part);
      price += (itsPrice - price) * part;
      plannedShare += (itsPlannedShare - plannedShare) * part;
      value = seen == 0 ? itsValue : Math.max(value, itsValue);
      firstFront = seen == 0 ? itsFirst : Math.min(firstFront, itsFirst);
      hour = Math.max(hour, itsHour);
      maxDistance = Math.max(maxDistance, itsMaxDistance);
      sincePlan = itsSincePlan;
      seen += itsSeen;
    }
    if (seen > 0) {
      seen = Math.max(1, seen / subtasks);
      plan.set(price, plannedShare);
      stale = otherShare || snapshots.size() > 1 || subtasks > 1;
      value = (long) Math.min(Math.max((double) value, min), max);
    }
  }
}
