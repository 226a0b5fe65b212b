package io.tidekeeper.job.source;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple3;

/** What one source subtask had learned when a savepoint was taken. */
final class LearnedState {

  /** The form in the savepoint; a tuple, whose serializer Flink keeps compatible. */
  static final TypeInformation<Tuple3<Integer, Integer, byte[]>> TYPE =
      Types.TUPLE(Types.INT, Types.INT, PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  private final int subtask;
  private final int parallelism;
  private final byte[] learned;

  /**
   * @param subtask its index
   * @param parallelism the source's parallelism then
   * @param learned the snapshot of its {@link io.tidekeeper.policy.watermark.SourceLearning}
   */
  LearnedState(int subtask, int parallelism, byte[] learned) {
    this.subtask = subtask;
    this.parallelism = parallelism;
    this.learned = learned.clone();
  }

  static LearnedState of(Tuple3<Integer, Integer, byte[]> tuple) {
    return new LearnedState(tuple.f0, tuple.f1, tuple.f2);
  }

  Tuple3<Integer, Integer, byte[]> toTuple() {
    return Tuple3.of(subtask, parallelism, learned.clone());
  }

  /**
   * What a subtask goes on from: its own, or that of all after the parallelism has changed, because
   * splits are then dealt out anew.
   */
  static Share restoredFor(List<LearnedState> stored, int subtask, int parallelism) {
    for (LearnedState old : stored) {
      if (old.parallelism == parallelism && old.subtask == subtask) {
        return new Share(List.of(old.learned), 1);
      }
    }
    List<byte[]> all = new ArrayList<>();
    stored.forEach(old -> all.add(old.learned));
    return new Share(all, parallelism);
  }

  /**
   * What one subtask restores.
   *
   * @param snapshots may be empty
   * @param subtasks how many subtasks restore the same
   */
  record Share(List<byte[]> snapshots, int subtasks) {}
}
