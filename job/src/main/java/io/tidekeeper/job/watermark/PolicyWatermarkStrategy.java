package io.tidekeeper.job.watermark;

import io.tidekeeper.job.source.SourcePolicy;
import io.tidekeeper.job.source.SourceSubtask;
import io.tidekeeper.job.source.SourceSubtasks;
import io.tidekeeper.policy.AlignmentSettings;
import io.tidekeeper.policy.OnExceeded;
import java.time.Clock;
import org.apache.flink.api.common.eventtime.TimestampAssigner;
import org.apache.flink.api.common.eventtime.TimestampAssignerSupplier;
import org.apache.flink.api.common.eventtime.WatermarkAlignmentParams;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkGeneratorSupplier;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;

/**
 * The event-time side of a {@link io.tidekeeper.job.source.PolicySource}: timestamps, watermarks
 * per split, and Flink's own alignment where the policy pauses leaders.
 *
 * @param <T> records
 */
public final class PolicyWatermarkStrategy<T> implements WatermarkStrategy<T> {

  private static final long serialVersionUID = 1L;

  private final SourcePolicy policy;
  private final EventTime<T> eventTime;
  private final ReferenceTime<T> referenceTime;
  private final CarriedWatermark<T> carriedWatermark;
  private final EmitCycle emitCycle;

  /**
   * @param policy the settings of the source
   * @param eventTime the event time of a record
   * @param referenceTime the clock a record from the future is recognised by
   * @param carriedWatermark the watermark a record carries, used under Punctuated
   * @param emitCycle how often Flink asks the generators of this job
   */
  public PolicyWatermarkStrategy(
      SourcePolicy policy,
      EventTime<T> eventTime,
      ReferenceTime<T> referenceTime,
      CarriedWatermark<T> carriedWatermark,
      EmitCycle emitCycle) {
    this.policy = policy;
    this.eventTime = eventTime;
    this.referenceTime = referenceTime;
    this.carriedWatermark = carriedWatermark;
    this.emitCycle = emitCycle;
  }

  @Override
  public TimestampAssigner<T> createTimestampAssigner(TimestampAssignerSupplier.Context context) {
    SourceSubtask subtask = SourceSubtasks.require(context.getMetricGroup(), policy.sourceName());
    return new TrackingTimestampAssigner<>(
        subtask, eventTime, referenceTime, carriedWatermark, Clock.systemUTC()::millis);
  }

  @Override
  public WatermarkGenerator<T> createWatermarkGenerator(
      WatermarkGeneratorSupplier.Context context) {
    SourceSubtask subtask = SourceSubtasks.require(context.getMetricGroup(), policy.sourceName());
    return new PolicyGenerator<>(
        subtask,
        context.getInputActivityClock(),
        Clock.systemUTC()::millis,
        emitCycle.cyclesPer(subtask.settings().emitInterval()));
  }

  @Override
  public WatermarkAlignmentParams getAlignmentParameters() {
    AlignmentSettings alignment = policy.settings().alignment();
    if (alignment == null || alignment.onExceeded() != OnExceeded.PauseLeaders) {
      return WatermarkAlignmentParams.WATERMARK_ALIGNMENT_DISABLED;
    }
    return new WatermarkAlignmentParams(
        alignment.maxDrift().toMillis(), alignment.group(), alignment.updateInterval().toMillis());
  }
}
