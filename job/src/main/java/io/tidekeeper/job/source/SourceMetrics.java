package io.tidekeeper.job.source;

import io.tidekeeper.policy.PolicyOptions;
import io.tidekeeper.policy.watermark.PartitionTracker;
import java.util.HashMap;
import java.util.Map;
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
  private final Map<String, SplitTracker> latest = new HashMap<>();

  SourceMetrics(MetricGroup operatorGroup, CurrentPolicy policy) {
    this.group = operatorGroup.addGroup("tidekeeper");
    group.gauge("revision", policy::revision);
    group.gauge("revisionAgeMillis", policy::revisionAgeMillis);
    group.gauge("missedAnswers", policy::missedAnswers);
    group.gauge("policyFormat", new PolicyFormat());
  }

  /** Exports a split; one that was here before goes on under its old metrics. */
  void register(SplitTracker split) {
    String id = split.splitId();
    synchronized (latest) {
      if (latest.put(id, split) != null) {
        return;
      }
    }
    MetricGroup splitGroup = group.addGroup("split", id);
    splitGroup.gauge("outOfOrderness", gauge(id, s -> s.tracker().outOfOrderness()));
    splitGroup.gauge("maxEventTime", gauge(id, s -> s.tracker().maxEventTime()));
    splitGroup.gauge("watermark", gauge(id, s -> s.tracker().watermark()));
    splitGroup.gauge("state", gauge(id, s -> s.state().code()));
    splitGroup.gauge("records", gauge(id, s -> s.tracker().records()));
    splitGroup.gauge("lateRecords", gauge(id, SplitTracker::lateRecords));
    splitGroup.gauge("skippedRecords", gauge(id, SplitTracker::skippedRecords));
    splitGroup.gauge("futureRecords", gauge(id, s -> s.tracker().futureRecords()));
    splitGroup.gauge("ignoredWatermarks", gauge(id, s -> s.tracker().ignoredWatermarks()));
    splitGroup.gauge("malformedRecords", gauge(id, s -> s.tracker().noTimestampRecords()));
    for (int i = 0; i < PartitionTracker.latenessBuckets(); i++) {
      int bucket = i;
      long bound = PartitionTracker.latenessBound(i);
      splitGroup
          .addGroup("le", bound == Long.MAX_VALUE ? "+Inf" : String.valueOf(bound))
          .gauge("latenessBucket", gauge(id, s -> s.tracker().latenessBucket(bucket)));
    }
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
