package io.tidekeeper.job.source;

import io.tidekeeper.job.metric.JobMetric;
import io.tidekeeper.policy.PolicyOptions;
import io.tidekeeper.policy.watermark.PartitionTracker;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * The metrics of a source subtask, in the group {@code tidekeeper} of the source operator, and one
 * set per split with the label {@code split}. Values are computed when they are read, so none of
 * them freezes while a split is paused, idle or back-pressured.
 */
final class SourceMetrics {

  private final MetricGroup group;
  private final LongSupplier wallClock;
  private final Map<String, SplitTracker> latest = new HashMap<>();

  /**
   * @param wallClock milliseconds since the epoch
   */
  SourceMetrics(MetricGroup operatorGroup, CurrentPolicy policy, LongSupplier wallClock) {
    this.wallClock = wallClock;
    this.group = operatorGroup;
    JobMetric.REVISION.gauge(group, policy::revision);
    JobMetric.REVISION_AGE.gauge(group, policy::revisionAgeMillis);
    JobMetric.MISSED_ANSWERS.gauge(group, policy::missedAnswers);
    JobMetric.POLICY_FORMAT.gauge(group, new PolicyFormat());
  }

  /** Exports a split; one that was here before goes on under its old metrics. */
  void register(SplitTracker split) {
    String id = split.splitId();
    synchronized (latest) {
      if (latest.put(id, split) != null) {
        return;
      }
    }
    export(JobMetric.OUT_OF_ORDERNESS, id, s -> s.tracker().outOfOrderness());
    export(JobMetric.MAX_EVENT_TIME, id, s -> s.tracker().maxEventTime());
    export(JobMetric.WATERMARK, id, s -> s.tracker().watermark());
    export(JobMetric.WATERMARK_LAG, id, s -> s.watermarkLagMillis(wallClock.getAsLong()));
    export(JobMetric.STATE, id, s -> s.state().code());
    export(JobMetric.RECORDS_READ, id, s -> s.tracker().records());
    export(JobMetric.SINCE_RECORD, id, SplitTracker::millisSinceRecord);
    export(JobMetric.SOURCE_DELAY, id, s -> s.sourceDelayMillis(wallClock.getAsLong()));
    export(JobMetric.LATE_RECORDS, id, SplitTracker::lateRecords);
    export(JobMetric.SKIPPED_RECORDS, id, SplitTracker::skippedRecords);
    export(JobMetric.FUTURE_RECORDS, id, s -> s.tracker().futureRecords());
    export(JobMetric.IGNORED_WATERMARKS, id, s -> s.tracker().ignoredWatermarks());
    export(JobMetric.MALFORMED_RECORDS, id, s -> s.tracker().noTimestampRecords());
    export(JobMetric.PAUSES, id, s -> s.pauses().count());
    export(JobMetric.PAUSED_TIME, id, s -> s.pauses().millis());
    export(JobMetric.LATENESS_P50, id, s -> s.tracker().latenessQuantile(0.5));
    export(JobMetric.LATENESS_P95, id, s -> s.tracker().latenessQuantile(0.95));
    export(JobMetric.LATENESS_P99, id, s -> s.tracker().latenessQuantile(0.99));
    for (int i = 0; i < PartitionTracker.latenessBuckets(); i++) {
      int bucket = i;
      long bound = PartitionTracker.latenessBound(i);
      JobMetric.LATENESS_BUCKET.gauge(
          group,
          gauge(id, s -> s.tracker().latenessBucket(bucket)),
          id,
          bound == Long.MAX_VALUE ? "+Inf" : String.valueOf(bound));
    }
  }

  private void export(JobMetric metric, String splitId, ToLongFunction<SplitTracker> value) {
    metric.gauge(group, gauge(splitId, value), splitId);
  }

  private Gauge<Long> gauge(String splitId, ToLongFunction<SplitTracker> value) {
    return () -> {
      synchronized (latest) {
        SplitTracker split = latest.get(splitId);
        return split == null ? 0L : value.applyAsLong(split);
      }
    };
  }

  /**
   * Not a lambda: that would be one object for all subtasks of a JVM, and Flink's REST API, which
   * tells gauges apart by their identity, would show it for one of them only.
   */
  private static final class PolicyFormat implements Gauge<Integer> {
    @Override
    public Integer getValue() {
      return PolicyOptions.POLICY_FORMAT;
    }
  }
}
