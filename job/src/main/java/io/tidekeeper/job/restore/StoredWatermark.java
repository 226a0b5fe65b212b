package io.tidekeeper.job.restore;

import java.util.Collection;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple5;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/**
 * What one subtask remembers in a savepoint.
 *
 * @param subtask its index
 * @param parallelism the operator's parallelism then
 * @param maxParallelism the operator's maximum parallelism then; with the two above it tells the
 *     key groups whose windows this watermark has closed
 * @param watermark the last watermark it forwarded, milliseconds since the epoch, {@code
 *     Long.MIN_VALUE} for none
 * @param idle whether all its inputs were idle, so that the watermark may be an old one
 */
record StoredWatermark(
    int subtask, int parallelism, int maxParallelism, long watermark, boolean idle) {

  /** The form in the savepoint; a tuple, whose serializer Flink keeps compatible. */
  static final TypeInformation<Tuple5<Integer, Integer, Integer, Long, Boolean>> TYPE =
      Types.TUPLE(Types.INT, Types.INT, Types.INT, Types.LONG, Types.BOOLEAN);

  static StoredWatermark of(Tuple5<Integer, Integer, Integer, Long, Boolean> tuple) {
    return new StoredWatermark(tuple.f0, tuple.f1, tuple.f2, tuple.f3, tuple.f4);
  }

  Tuple5<Integer, Integer, Integer, Long, Boolean> toTuple() {
    return Tuple5.of(subtask, parallelism, maxParallelism, watermark, idle);
  }

  /**
   * The watermark a subtask goes on from: the highest under which any key group it owns now has
   * been processed. Every window of such a key group up to there has fired, so anything lower could
   * fire one of them again.
   *
   * @return milliseconds since the epoch, {@code Long.MIN_VALUE} when nothing is known
   */
  static long restoredFor(
      Collection<StoredWatermark> stored, int subtask, int parallelism, int maxParallelism) {
    KeyGroupRange owned = keyGroups(subtask, parallelism, maxParallelism);
    long highest = Long.MIN_VALUE;
    for (StoredWatermark old : stored) {
      boolean sameKeyGroups = old.maxParallelism == maxParallelism;
      if (!sameKeyGroups
          || !owned
              .getIntersection(keyGroups(old.subtask, old.parallelism, maxParallelism))
              .equals(KeyGroupRange.EMPTY_KEY_GROUP_RANGE)) {
        highest = Math.max(highest, old.watermark);
      }
    }
    return highest;
  }

  private static KeyGroupRange keyGroups(int subtask, int parallelism, int maxParallelism) {
    return KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
        maxParallelism, parallelism, subtask);
  }
}
