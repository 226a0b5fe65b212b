package io.tidekeeper.policy.watermark;

import io.tidekeeper.policy.Throughput;
import io.tidekeeper.policy.ThroughputTier;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The rate of a source in records per second of event time, and the tier it is in.
 *
 * <p>Each partition measures itself: how many records came while its own front moved on by a
 * window. So it does not matter how fast it is read, nor that partitions are read at different
 * speeds, and catching up looks like the ordinary stream it is. The rate of the source is the sum,
 * with that of its other subtasks, which they tell each other.
 */
final class ThroughputLearner implements Learner {

  // Rates are whole thousandths of a record per second, so that sums stay exact.
  private static final long PER_RECORD = 1_000_000;
  private static final long UNMEASURED = -1;

  private final List<ThroughputTier> tiers;
  private final long windowMillis;
  private final long cap;
  private final SourceFront front = new SourceFront();
  private final List<Partition> partitions = new ArrayList<>();

  // Unmeasured while the other subtasks have not told; then they are taken to be like this one.
  private long othersRate = UNMEASURED;
  private int subtasks = 1;
  private int unmeasured;
  private long localRate;
  private int tier;
  private long holdUntil = Long.MIN_VALUE;

  ThroughputLearner(Throughput settings, long cap) {
    this.tiers = settings.tiers();
    this.windowMillis = settings.window().toMillis();
    this.cap = cap;
    // Until a rate is known the most patient tier is right.
    this.tier = mostPatient();
  }

  private int mostPatient() {
    int most = 0;
    for (int index = 1; index < tiers.size(); index++) {
      if (bound(index) > bound(most)) {
        most = index;
      }
    }
    return most;
  }

  /** One partition's own rate. */
  private final class Partition extends LearnedBound {
    private long windowStart = Long.MIN_VALUE;
    private long records;
    private long rate = UNMEASURED;
    private final long constant;

    Partition(long constant) {
      super(front);
      this.constant = constant;
      partitions.add(this);
      unmeasured++;
    }

    @Override
    long value() {
      return constant >= 0 ? constant : bound(tier);
    }

    @Override
    void learn(long timestamp, long lateness, long sourceFront) {
      records++;
    }

    @Override
    void moved() {
      long now = front();
      if (windowStart == Long.MIN_VALUE) {
        windowStart = now;
        records = 0;
        return;
      }
      long span = Millis.between(windowStart, now);
      if (span >= windowMillis) {
        measured(records * PER_RECORD / span);
        windowStart = now;
        records = 0;
      }
    }

    private void measured(long newRate) {
      if (rate == UNMEASURED) {
        count(-1);
        rate = 0;
      }
      if (!isIdle()) {
        localRate += newRate - rate;
      }
      rate = newRate;
      choose();
    }

    @Override
    public void idle(boolean idle) {
      if (idle != isIdle()) {
        leaveSum();
        super.idle(idle);
        enterSum();
        choose();
      }
    }

    @Override
    public void close() {
      leaveSum();
      partitions.remove(this);
      super.close();
      choose();
    }

    private void leaveSum() {
      if (!isIdle()) {
        localRate -= Math.max(rate, 0);
        if (rate == UNMEASURED) {
          unmeasured--;
        }
      }
    }

    private void enterSum() {
      if (!isIdle()) {
        localRate += Math.max(rate, 0);
        if (rate == UNMEASURED) {
          unmeasured++;
        }
      }
    }

    private void count(int change) {
      if (!isIdle()) {
        unmeasured += change;
      }
    }
  }

  @Override
  public LearnedBound join() {
    return new Partition(-1);
  }

  @Override
  public WatermarkBound joinConstant(long outOfOrderness) {
    return new Partition(outOfOrderness);
  }

  /** The rate of this subtask's partitions in records per second of event time. */
  double localRate() {
    return localRate / 1000.0;
  }

  /** What the other subtasks of the source measure, in records per second of event time. */
  void othersRate(double recordsPerSecond) {
    othersRate = (long) (Math.max(0, recordsPerSecond) * 1000);
    choose();
  }

  void subtasks(int count) {
    subtasks = count;
    choose();
  }

  private long sourceRate() {
    return othersRate == UNMEASURED ? localRate * subtasks : localRate + othersRate;
  }

  private void choose() {
    if (unmeasured > 0 || partitions.isEmpty()) {
      return;
    }
    int wanted = tierFor(sourceRate());
    if (wanted == tier) {
      holdUntil = Long.MIN_VALUE;
      return;
    }
    if (bound(wanted) >= bound(tier)) {
      become(wanted);
      return;
    }
    if (holdUntil == Long.MIN_VALUE) {
      // Records of the busy time may still be on their way; they keep its patience.
      holdUntil = Millis.plus(front.value(), bound(tier));
    }
    if (front.value() >= holdUntil) {
      become(wanted);
    }
  }

  private void become(int wanted) {
    tier = wanted;
    holdUntil = Long.MIN_VALUE;
  }

  /** The tier of a rate; the present one is left downwards only a tenth below its start. */
  private int tierFor(long milliRate) {
    int wanted = 0;
    for (int index = 0; index < tiers.size(); index++) {
      long start = tiers.get(index).minRecordsPerSecond() * 1000;
      long needed = index <= tier ? start - start / 10 : start;
      if (milliRate >= needed) {
        wanted = index;
      }
    }
    return wanted;
  }

  private long bound(int index) {
    return Math.min(tiers.get(index).maxOutOfOrderness().toMillis(), cap);
  }

  @Override
  public byte kind() {
    return 1;
  }

  @Override
  public int snapshotBytes() {
    return Long.BYTES;
  }

  @Override
  public void write(ByteBuffer out) {
    out.putLong(tiers.get(tier).minRecordsPerSecond());
  }

  /** Goes on in the most patient tier of all until every partition has been measured again. */
  @Override
  public void restore(List<ByteBuffer> snapshots, int subtasks) {
    List<Integer> stored = new ArrayList<>();
    for (ByteBuffer snapshot : snapshots) {
      long start = snapshot.getLong();
      int index = 0;
      while (index + 1 < tiers.size() && tiers.get(index + 1).minRecordsPerSecond() <= start) {
        index++;
      }
      stored.add(index);
    }
    tier = stored.stream().max(Comparator.comparingLong(this::bound)).orElse(tier);
  }
}
