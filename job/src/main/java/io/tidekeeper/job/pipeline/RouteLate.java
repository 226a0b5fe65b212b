package io.tidekeeper.job.pipeline;

import io.tidekeeper.job.late.RejectedRecord;
import io.tidekeeper.job.late.RejectedRecord.Reason;
import io.tidekeeper.job.metric.JobMetric;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Chained behind a window: what the window called late goes on with the watermark that made it so.
 * Counts {@code routedLate}, the window's own count of late records.
 */
final class RouteLate<T extends InputRecord> extends ProcessFunction<T, RejectedRecord> {

  private static final long serialVersionUID = 1L;

  private transient Counter routedLate = new SimpleCounter();

  @Override
  public void open(OpenContext openContext) {
    routedLate = JobMetric.ROUTED_LATE.counter(getRuntimeContext().getMetricGroup());
  }

  @Override
  public void processElement(T record, Context context, Collector<RejectedRecord> out) {
    routedLate.inc();
    RejectedRecord late = Rejections.of(record, Reason.LATE);
    late.watermark = context.timerService().currentWatermark();
    out.collect(late);
  }
}
