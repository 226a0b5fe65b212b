package io.tidekeeper.job.restore;

import io.tidekeeper.job.metric.JobMetric;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.java.tuple.Tuple5;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;

/** Stores the watermark it forwarded, and emits it first after a restore. */
final class WatermarkRestoreOperator<T> extends AbstractStreamOperator<T>
    implements OneInputStreamOperator<T, T> {

  private static final long serialVersionUID = 1L;

  private final boolean enabled;

  private transient ListState<Tuple5<Integer, Integer, Integer, Long, Boolean>> state;
  private long restored = Long.MIN_VALUE;
  private long forwarded = Long.MIN_VALUE;
  private boolean idle;

  WatermarkRestoreOperator(boolean enabled) {
    this.enabled = enabled;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    state =
        context
            .getOperatorStateStore()
            .getUnionListState(new ListStateDescriptor<>("watermarks", StoredWatermark.TYPE));
    if (enabled && context.isRestored()) {
      List<StoredWatermark> stored = new ArrayList<>();
      for (Tuple5<Integer, Integer, Integer, Long, Boolean> tuple : state.get()) {
        stored.add(StoredWatermark.of(tuple));
      }
      TaskInfo task = getRuntimeContext().getTaskInfo();
      restored =
          StoredWatermark.restoredFor(
              stored,
              task.getIndexOfThisSubtask(),
              task.getNumberOfParallelSubtasks(),
              task.getMaxNumberOfParallelSubtasks());
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    requireChainedConsumer();
    JobMetric.RESTORED_WATERMARK.gauge(getMetricGroup(), () -> restored);
    if (restored != Long.MIN_VALUE) {
      // The consumer is open already, since chains open from their end. It has to be now: once an
      // input goes idle, outputs drop watermarks.
      forwarded = restored;
      output.emitWatermark(new Watermark(restored));
      LOG.info("Watermark {} restored; records at or below it are late", restored);
    }
  }

  private void requireChainedConsumer() {
    if (getOperatorConfig().getChainedOutputs(getUserCodeClassloader()).isEmpty()) {
      throw new IllegalStateException(
          "watermark-restore must be chained with its consumer: keep"
              + " pipeline.operator-chaining.enabled at true and give both the same parallelism");
    }
  }

  @Override
  public void processElement(StreamRecord<T> element) {
    output.collect(element);
  }

  @Override
  public void processWatermark(Watermark mark) throws Exception {
    if (mark.getTimestamp() <= restored) {
      return;
    }
    forwarded = mark.getTimestamp();
    super.processWatermark(mark);
  }

  @Override
  public void processWatermarkStatus(WatermarkStatus watermarkStatus) throws Exception {
    idle = watermarkStatus.isIdle();
    super.processWatermarkStatus(watermarkStatus);
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    TaskInfo task = getRuntimeContext().getTaskInfo();
    state.update(
        List.of(
            new StoredWatermark(
                    task.getIndexOfThisSubtask(),
                    task.getNumberOfParallelSubtasks(),
                    task.getMaxNumberOfParallelSubtasks(),
                    forwarded,
                    idle)
                .toTuple()));
  }
}
