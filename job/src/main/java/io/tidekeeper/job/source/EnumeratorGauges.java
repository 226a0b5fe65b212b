package io.tidekeeper.job.source;

import io.tidekeeper.job.align.Drift;
import io.tidekeeper.job.align.GroupMember;
import io.tidekeeper.job.align.SplitObservation;
import io.tidekeeper.job.backlog.Backlog;
import io.tidekeeper.job.live.FileState;
import io.tidekeeper.job.metric.JobMetric;
import io.tidekeeper.job.metric.MetricPlace;
import io.tidekeeper.policy.AlignmentSettings;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * The metrics of a source on the JobManager, in the group {@code tidekeeper} of its enumerator.
 *
 * <p>When Flink replaces an enumerator, after a failure of the whole job, the metric group stays,
 * and a gauge registered once more would be dropped for the old one. So the values live as long as
 * their group, and each new enumerator writes into the same ones.
 */
final class EnumeratorGauges {

  /** Shown while there is no file with a revision. */
  static final long NO_REVISION = -1;

  private static final Map<MetricGroup, Values> BY_GROUP = new WeakHashMap<>();

  private final MetricGroup group;
  private final Values values;

  /** What the gauges show; it must not refer to the metric group, whose life it shares. */
  private static final class Values {
    private final AtomicLong revision = new AtomicLong();
    private final AtomicLong fileRevision = new AtomicLong(NO_REVISION);
    private final AtomicLong fileState = new AtomicLong();
    private final AtomicLong refusedFiles = new AtomicLong();
    private final AtomicLong undeliveredAnswers = new AtomicLong();
    private final AtomicLong recordsPerSecond = new AtomicLong();
    private final AtomicLong skippedSplits = new AtomicLong();
    private final Map<String, AtomicLong> splitDrifts = new ConcurrentHashMap<>();
    private final Map<String, AtomicLong> backlogs = new ConcurrentHashMap<>();
    private final AtomicLong maxDrift = new AtomicLong(NO_REVISION);
    private final AtomicLong recommendedMaxDrift = new AtomicLong(GroupMember.NO_RECOMMENDATION);
    private volatile Drift drift = Drift.NONE;

    /** A new enumerator has seen nothing yet; counts go on. */
    void reset() {
      fileRevision.set(NO_REVISION);
      fileState.set(FileState.ABSENT.code());
      skippedSplits.set(0);
      recommendedMaxDrift.set(GroupMember.NO_RECOMMENDATION);
      recordsPerSecond.set(0);
      splitDrifts.values().forEach(value -> value.set(0));
      backlogs.values().forEach(value -> value.set(Backlog.UNKNOWN));
      drift = Drift.NONE;
    }
  }

  private EnumeratorGauges(MetricGroup group, Values values) {
    this.group = group;
    this.values = values;
  }

  /**
   * The gauges of an enumerator, which may have had a predecessor.
   *
   * @param live whether there is a policy file to speak of
   */
  static EnumeratorGauges of(MetricGroup enumeratorGroup, boolean live) {
    // Flink wraps the enumerator's group anew for each enumerator; what is inside stays.
    MetricGroup lasting = MetricPlace.ENUMERATOR.in(enumeratorGroup);
    synchronized (BY_GROUP) {
      Values present = BY_GROUP.get(lasting);
      if (present != null) {
        present.reset();
        return new EnumeratorGauges(enumeratorGroup, present);
      }
      Values values = new Values();
      BY_GROUP.put(lasting, values);
      JobMetric.TOLD_REVISION.gauge(enumeratorGroup, gauge(values.revision));
      JobMetric.SOURCE_RATE.gauge(enumeratorGroup, gauge(values.recordsPerSecond));
      if (live) {
        JobMetric.FILE_REVISION.gauge(enumeratorGroup, gauge(values.fileRevision));
        JobMetric.FILE_STATE.gauge(enumeratorGroup, gauge(values.fileState));
        JobMetric.REFUSED_FILES.gauge(enumeratorGroup, gauge(values.refusedFiles));
        JobMetric.UNDELIVERED_ANSWERS.gauge(enumeratorGroup, gauge(values.undeliveredAnswers));
      }
      return new EnumeratorGauges(enumeratorGroup, values);
    }
  }

  void revision(long inForce) {
    values.revision.set(inForce);
  }

  void file(long revisionOfFile, FileState state) {
    values.fileRevision.set(revisionOfFile);
    values.fileState.set(state.code());
  }

  /** The rate of the whole source by event time; 0 when no strategy asks for rates. */
  void recordsPerSecond(double all) {
    values.recordsPerSecond.set(Math.round(all));
  }

  void countRefused() {
    values.refusedFiles.incrementAndGet();
  }

  void countUndelivered() {
    values.undeliveredAnswers.incrementAndGet();
  }

  /** Shows the alignment group, in a metric group of its name. */
  void alignment(AlignmentSettings alignment) {
    if (values.maxDrift.getAndSet(alignment.maxDrift().toMillis()) != NO_REVISION) {
      return;
    }
    Values shown = values;
    String name = alignment.group();
    JobMetric.MAX_DRIFT.gauge(group, gauge(shown.maxDrift), name);
    JobMetric.RECOMMENDED_MAX_DRIFT.gauge(group, gauge(shown.recommendedMaxDrift), name);
    JobMetric.GROUP_DRIFT.gauge(group, () -> shown.drift.drift(), name);
    JobMetric.MIN_WATERMARK.gauge(group, () -> shown.drift.minWatermark(), name);
    JobMetric.MAX_WATERMARK.gauge(group, () -> shown.drift.maxWatermark(), name);
    JobMetric.SKIPPED_SPLITS.gauge(group, gauge(shown.skippedSplits), name);
  }

  /** The maximum drift that does not slow the source down when it catches up, in milliseconds. */
  void recommendedMaxDrift(long millis) {
    values.recommendedMaxDrift.set(millis);
  }

  void group(Drift drift, int skippedSplits) {
    values.drift = drift;
    values.skippedSplits.set(skippedSplits);
  }

  /** How far each split is behind the furthest of the group; idle and finished ones show 0. */
  void splits(Collection<List<SplitObservation>> readers, Drift drift) {
    for (List<SplitObservation> splits : readers) {
      for (SplitObservation split : splits) {
        AtomicLong shown =
            values.splitDrifts.computeIfAbsent(
                split.splitId(), id -> register(JobMetric.SPLIT_DRIFT, id, 0));
        boolean measured = split.speaks() && split.watermark() != Long.MIN_VALUE;
        shown.set(measured ? Drift.between(split.watermark(), drift.maxWatermark()) : 0);
      }
    }
  }

  /** The splits that have a reader; of others nobody knows the backlog. */
  void splitsWithBacklog(Set<String> read) {
    read.forEach(
        split ->
            values.backlogs.computeIfAbsent(
                split, id -> register(JobMetric.SPLIT_BACKLOG, id, Backlog.UNKNOWN)));
    values.backlogs.forEach(
        (split, shown) -> {
          if (!read.contains(split)) {
            shown.set(Backlog.UNKNOWN);
          }
        });
  }

  /** What those splits hold that has not been read. */
  void backlogs(Map<String, Long> records) {
    records.forEach(
        (split, count) -> {
          AtomicLong shown = values.backlogs.get(split);
          if (shown != null) {
            shown.set(count);
          }
        });
  }

  private AtomicLong register(JobMetric metric, String splitId, long first) {
    AtomicLong value = new AtomicLong(first);
    metric.gauge(group, gauge(value), splitId);
    return value;
  }

  private static Gauge<Long> gauge(AtomicLong value) {
    return value::get;
  }
}
