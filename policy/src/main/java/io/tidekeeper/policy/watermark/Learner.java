package io.tidekeeper.policy.watermark;

import java.nio.ByteBuffer;
import java.util.List;

/** What the partitions of one source subtask learn together under one strategy. */
interface Learner {

  /** A new partition's bound; what it observes is learned. */
  LearnedBound join();

  /** A partition with a constant of its own joins: what of it matters is learned all the same. */
  WatermarkBound joinConstant(long outOfOrderness);

  /** Tells the snapshots of the strategies apart. */
  byte kind();

  /** The largest size of {@link #write} in bytes. */
  int snapshotBytes();

  void write(ByteBuffer out);

  /**
   * Goes on from snapshots of this kind.
   *
   * @param snapshots at least one; what they counted is added up
   * @param subtasks how many subtasks share what they know; with a single snapshot and 1, all of it
   *     is taken over as it is
   */
  void restore(List<ByteBuffer> snapshots, int subtasks);
}
