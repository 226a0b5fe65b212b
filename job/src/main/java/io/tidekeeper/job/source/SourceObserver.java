package io.tidekeeper.job.source;

import io.tidekeeper.job.metric.JobMetric;
import io.tidekeeper.policy.watermark.SourceLearning;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Chained right behind a source: counts the records that arrive at or below the watermark their own
 * subtask has already emitted. That is the one definition of the late share; windows further down
 * decide on their own, with watermarks of all subtasks.
 *
 * <p>It also keeps what its source subtask has learned in checkpoints. The source cannot do so
 * itself: its state is the wrapped source's own.
 *
 * @param <T> records, passed on as they are
 */
public final class SourceObserver<T> extends AbstractStreamOperator<T>
    implements OneInputStreamOperator<T, T> {

  private static final long serialVersionUID = 1L;

  private final String sourceName;
  private transient SourceSubtask subtask;
  private transient ListState<Tuple3<Integer, Integer, byte[]>> learned;
  private long watermark = Long.MIN_VALUE;

  /**
   * @param sourceName the source this operator is chained behind
   */
  public SourceObserver(String sourceName) {
    this.sourceName = sourceName;
  }

  /**
   * @throws IllegalStateException when the operator is not chained to its source
   */
  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    // Flink creates the reader before it restores the state of any operator in the chain, and gives
    // it its splits afterwards.
    subtask = SourceSubtasks.require(getMetricGroup(), sourceName);
    learned =
        context
            .getOperatorStateStore()
            .getUnionListState(new ListStateDescriptor<>("learned", LearnedState.TYPE));
    TaskInfo task = getRuntimeContext().getTaskInfo();
    SourceLearning learning = subtask.learning();
    learning.sourceSubtasks(task.getNumberOfParallelSubtasks());
    if (context.isRestored()) {
      List<LearnedState> stored = new ArrayList<>();
      for (Tuple3<Integer, Integer, byte[]> tuple : learned.get()) {
        stored.add(LearnedState.of(tuple));
      }
      LearnedState.Share share =
          LearnedState.restoredFor(
              stored, task.getIndexOfThisSubtask(), task.getNumberOfParallelSubtasks());
      learning.restore(share.snapshots(), share.subtasks());
    }
    JobMetric.RATE.gauge(getMetricGroup(), learning::rate);
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    byte[] snapshot = subtask.learning().snapshot();
    TaskInfo task = getRuntimeContext().getTaskInfo();
    learned.update(
        snapshot.length == 0
            ? List.of()
            : List.of(
                new LearnedState(
                        task.getIndexOfThisSubtask(), task.getNumberOfParallelSubtasks(), snapshot)
                    .toTuple()));
  }

  @Override
  public void processElement(StreamRecord<T> element) {
    if (element.getTimestamp() <= watermark && element.getTimestamp() != Long.MIN_VALUE) {
      subtask.current().countLate();
    }
    output.collect(element);
  }

  @Override
  public void processWatermark(Watermark mark) throws Exception {
    watermark = mark.getTimestamp();
    super.processWatermark(mark);
  }
}
