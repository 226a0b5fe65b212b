package io.tidekeeper.policy.watermark;

import io.tidekeeper.policy.Adaptive;
import io.tidekeeper.policy.OutOfOrderness;
import io.tidekeeper.policy.PartitionOverride;
import io.tidekeeper.policy.Quantile;
import io.tidekeeper.policy.SourceSettings;
import io.tidekeeper.policy.Throughput;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the partitions of one source subtask learn together. Every {@link PartitionTracker} of the
 * subtask is given the same instance; under a strategy that learns nothing it does nothing.
 *
 * <p>What was learned leaves as a snapshot and is restored before the first partition asks for its
 * bound. One thread uses it: the one that feeds the trackers.
 */
public final class SourceLearning {

  private static final byte VERSION = 1;
  private static final int HEADER_BYTES = 2;
  private static final byte[] NOTHING = {};

  private @Nullable Learner learner;
  private @Nullable OutOfOrderness learnersStrategy;
  private long learnersCap;

  private List<byte[]> restored = List.of();
  private int restoredFor = 1;
  private int sourceSubtasks = 1;

  /**
   * Takes over what was learned before, by this subtask or others; snapshots that another strategy
   * or a later version wrote are left aside. To be called before the first record.
   *
   * @param snapshots what {@link #snapshot} returned. They are added up, and their other terms are
   *     weighted by records
   * @param subtasks how many subtasks restore the same snapshots, 1 or more: each takes its share
   *     of what was counted
   */
  public void restore(List<byte[]> snapshots, int subtasks) {
    restored = List.copyOf(snapshots);
    restoredFor = subtasks;
    if (learner != null) {
      goOn(learner);
    }
  }

  /**
   * Tells how many subtasks read the source. While the rates of the others are not known they are
   * taken for that of this one.
   *
   * @param count 1 or more
   */
  public void sourceSubtasks(int count) {
    sourceSubtasks = count;
    if (learner instanceof ThroughputLearner throughput) {
      throughput.subtasks(count);
    }
  }

  /** What has been learned, in at most 17 kB, 16 kB with Adaptive; empty when nothing is. */
  public byte[] snapshot() {
    if (learner == null) {
      // What was restored is not lost while another strategy is in force.
      return restored.size() == 1 && restoredFor == 1 ? restored.get(0) : NOTHING;
    }
    ByteBuffer out = ByteBuffer.allocate(HEADER_BYTES + learner.snapshotBytes());
    out.put(VERSION).put(learner.kind());
    learner.write(out);
    return out.array();
  }

  /** Records per second of event time this subtask measures under Throughput; 0 otherwise. */
  public double rate() {
    return learner instanceof ThroughputLearner throughput ? throughput.localRate() : 0;
  }

  /**
   * What the other subtasks of the source measure together; used under Throughput only.
   *
   * @param recordsPerSecond records per second of event time, 0 or more
   */
  public void ratesOfOthers(double recordsPerSecond) {
    if (learner instanceof ThroughputLearner throughput) {
      throughput.othersRate(recordsPerSecond);
    }
  }

  /** The bound of a partition that follows these settings from now on. */
  WatermarkBound boundFor(SourceSettings settings, String splitId) {
    Duration cap = settings.maxOutOfOrdernessCap();
    OutOfOrderness strategy = settings.outOfOrderness();
    Learner shared = learnerOf(strategy, cap == null ? Long.MAX_VALUE : cap.toMillis());
    PartitionOverride override = settings.overrideFor(splitId);
    Duration constant = override == null ? null : override.maxOutOfOrderness();
    if (constant != null) {
      return shared == null
          ? new ConstantBound(constant.toMillis())
          : shared.joinConstant(constant.toMillis());
    }
    return shared == null ? WatermarkBound.of(strategy, cap) : shared.join();
  }

  private @Nullable Learner learnerOf(OutOfOrderness strategy, long cap) {
    if (learner != null && strategy.equals(learnersStrategy) && cap == learnersCap) {
      return learner;
    }
    Learner fresh = newLearner(strategy, cap);
    if (fresh == null) {
      return null;
    }
    if (learner != null) {
      // New values of the same strategy go on from what is known.
      restored = List.of(snapshot());
      restoredFor = 1;
    }
    if (fresh instanceof ThroughputLearner throughput) {
      throughput.subtasks(sourceSubtasks);
    }
    goOn(fresh);
    learner = fresh;
    learnersStrategy = strategy;
    learnersCap = cap;
    return fresh;
  }

  private void goOn(Learner fresh) {
    List<ByteBuffer> usable = new ArrayList<>();
    for (byte[] snapshot : restored) {
      if (isUsable(snapshot, fresh)) {
        usable.add(ByteBuffer.wrap(snapshot, HEADER_BYTES, snapshot.length - HEADER_BYTES).slice());
      }
    }
    if (!usable.isEmpty()) {
      fresh.restore(usable, restoredFor);
    }
    restored = List.of();
  }

  private static boolean isUsable(byte[] snapshot, Learner learner) {
    return snapshot.length == HEADER_BYTES + learner.snapshotBytes()
        && snapshot[0] == VERSION
        && snapshot[1] == learner.kind();
  }

  private static @Nullable Learner newLearner(OutOfOrderness strategy, long cap) {
    if (strategy instanceof Throughput throughput) {
      return new ThroughputLearner(throughput, cap);
    }
    if (strategy instanceof Quantile quantile) {
      return new QuantileLearner(quantile, cap);
    }
    if (strategy instanceof Adaptive adaptive) {
      return new AdaptiveLearner(adaptive, cap);
    }
    return null;
  }
}
