package io.tidekeeper.job.metric;

import static io.tidekeeper.job.metric.MetricKind.TOTAL;
import static io.tidekeeper.job.metric.MetricKind.VALUE;
import static io.tidekeeper.job.metric.MetricPlace.ENUMERATOR;
import static io.tidekeeper.job.metric.MetricPlace.ENUMERATOR_FILE;
import static io.tidekeeper.job.metric.MetricPlace.ENUMERATOR_GROUP;
import static io.tidekeeper.job.metric.MetricPlace.ENUMERATOR_SPLIT;
import static io.tidekeeper.job.metric.MetricPlace.OBSERVER;
import static io.tidekeeper.job.metric.MetricPlace.SOURCE;
import static io.tidekeeper.job.metric.MetricPlace.SPLIT;
import static io.tidekeeper.job.metric.MetricPlace.WINDOW;
import static io.tidekeeper.job.metric.MetricPlace.WINDOW_FIRING;
import static io.tidekeeper.job.metric.MetricUnit.CODE;
import static io.tidekeeper.job.metric.MetricUnit.COUNT;
import static io.tidekeeper.job.metric.MetricUnit.EPOCH_MILLISECONDS;
import static io.tidekeeper.job.metric.MetricUnit.MILLISECONDS;
import static io.tidekeeper.job.metric.MetricUnit.NUMBER;
import static io.tidekeeper.job.metric.MetricUnit.RECORDS;

import io.tidekeeper.job.align.SplitState;
import io.tidekeeper.job.live.FileState;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * Every metric that a job exports. Controllers, alerts and dashboards read them by these names: a
 * name, once out, keeps its meaning.
 */
public enum JobMetric {
  REVISION(
      SOURCE,
      "revision",
      VALUE,
      NUMBER,
      "The revision of the policy it runs on; 0: nobody numbered it."),
  REVISION_AGE(
      SOURCE,
      "revisionAgeMillis",
      VALUE,
      MILLISECONDS,
      "For how long it has run on that revision."),
  MISSED_ANSWERS(
      SOURCE,
      "missedAnswers",
      TOTAL,
      COUNT,
      "How often nobody said within 10 s which policy to run on, and it went on with the options."),
  POLICY_FORMAT(
      SOURCE,
      "policyFormat",
      VALUE,
      NUMBER,
      "The newest format of policies that the job's library understands."),

  OUT_OF_ORDERNESS(SPLIT, "outOfOrderness", VALUE, MILLISECONDS, "The out-of-orderness in force."),
  MAX_EVENT_TIME(
      SPLIT, "maxEventTime", VALUE, EPOCH_MILLISECONDS, "The newest timestamp that was accepted."),
  WATERMARK(SPLIT, "watermark", VALUE, EPOCH_MILLISECONDS, "Its watermark."),
  WATERMARK_LAG(
      SPLIT,
      "watermarkLagMillis",
      VALUE,
      MILLISECONDS,
      "How far its watermark is behind the wall clock; 0 when it is ahead, -1 while there is none and"
          + " once the partition has been read to its end."),
  STATE(
      SPLIT,
      "state",
      VALUE,
      CODE,
      "What it is doing: %s.".formatted(codes(SplitState.values(), SplitState::code))),
  RECORDS_READ(SPLIT, "records", TOTAL, RECORDS, "All records, whatever became of them."),
  SINCE_RECORD(
      SPLIT,
      "millisSinceRecord",
      VALUE,
      MILLISECONDS,
      "How long ago the last record came, at most one emit interval too high; counted from when the"
          + " subtask took the partition over while none has come; -1 once it has been read to its"
          + " end. A pause lets it grow, too."),
  SOURCE_DELAY(
      SPLIT,
      "sourceDelayMillis",
      VALUE,
      MILLISECONDS,
      "How far the newest timestamp was behind the wall clock when the last record came, at most one"
          + " emit interval too low: what producers and the wait in Kafka add to the lag. With a"
          + " constant bound the lag is `outOfOrderness` + `sourceDelayMillis` + `millisSinceRecord`."
          + " 0 when it was ahead, -1 before the first timestamp and once the partition has been read"
          + " to its end."),
  LATE_RECORDS(
      SPLIT,
      "lateRecords",
      TOTAL,
      RECORDS,
      "Records at or below the watermark that their subtask had emitted."),
  SKIPPED_RECORDS(
      SPLIT,
      "skippedRecords",
      TOTAL,
      RECORDS,
      "Records that came while the partition was left out of the watermark, late ones or not."),
  FUTURE_RECORDS(
      SPLIT, "futureRecords", TOTAL, RECORDS, "Records from further ahead than `max-future-skew`."),
  IGNORED_WATERMARKS(
      SPLIT,
      "ignoredWatermarks",
      TOTAL,
      COUNT,
      "Watermarks carried by records that were further ahead than `max-future-skew`."),
  MALFORMED_RECORDS(
      SPLIT, "malformedRecords", TOTAL, RECORDS, "Records that could not be read or have no time."),
  PAUSES(SPLIT, "pauses", TOTAL, COUNT, "How often alignment has paused it."),
  PAUSED_TIME(
      SPLIT,
      "pausedMillis",
      TOTAL,
      MILLISECONDS,
      "For how long alignment has paused it in all, the pause that is under way included."),
  LATENESS_P50(SPLIT, "latenessP50Millis", VALUE, MILLISECONDS, quantile("Half")),
  LATENESS_P95(SPLIT, "latenessP95Millis", VALUE, MILLISECONDS, quantile("95%")),
  LATENESS_P99(SPLIT, "latenessP99Millis", VALUE, MILLISECONDS, quantile("99%")),

  LATENESS_BUCKET(
      MetricPlace.SPLIT_LATENESS,
      "latenessBucket",
      TOTAL,
      RECORDS,
      "Accepted records that were at most this much older than the newest one before them."),

  RATE(
      OBSERVER,
      "recordsPerSecond",
      VALUE,
      MetricUnit.RECORDS_PER_SECOND,
      "What the subtask has measured, per second of event time; 0 unless the strategy goes by it."),

  RESTORED_WATERMARK(
      MetricPlace.WATERMARK_RESTORE,
      "restoredWatermark",
      VALUE,
      EPOCH_MILLISECONDS,
      "The watermark it emitted first after a restore."),

  ROUTED_LATE(
      WINDOW,
      "routedLate",
      TOTAL,
      RECORDS,
      "Records that the window called late and sent on as such."),

  FIRING_DELAY(
      WINDOW_FIRING,
      "firingDelayMillis",
      VALUE,
      MILLISECONDS,
      "How far the wall clock was past the end of the last window that fired, at that moment: how old"
          + " a result is when it leaves. A window that fires again for a late record counts, too. 0"
          + " when the clock had not reached the end, -1 before the first."),

  TOLD_REVISION(
      ENUMERATOR, "revision", VALUE, NUMBER, "The revision of the policy that readers are told."),

  SOURCE_RATE(
      ENUMERATOR,
      "recordsPerSecond",
      VALUE,
      MetricUnit.RECORDS_PER_SECOND,
      "What all readers of the source measure together, per second of event time; 0 unless the"
          + " strategy goes by it."),

  FILE_REVISION(
      ENUMERATOR_FILE, "fileRevision", VALUE, NUMBER, "The revision in the file; -1: none."),
  FILE_STATE(
      ENUMERATOR_FILE,
      "fileState",
      VALUE,
      CODE,
      "How the file stands to what the job runs on: %s."
          .formatted(codes(FileState.values(), FileState::code))),
  REFUSED_FILES(ENUMERATOR_FILE, "refusedFiles", TOTAL, COUNT, "Files that were refused."),
  UNDELIVERED_ANSWERS(
      ENUMERATOR_FILE,
      "undeliveredAnswers",
      TOTAL,
      COUNT,
      "Answers that a restarting reader could not take; it is told when it is back."),

  MAX_DRIFT(ENUMERATOR_GROUP, "maxDrift", VALUE, MILLISECONDS, "The configured maximum."),
  RECOMMENDED_MAX_DRIFT(
      ENUMERATOR_GROUP,
      "recommendedMaxDrift",
      VALUE,
      MILLISECONDS,
      "A maximum that does not slow this source down when it catches up: what a partition"
          + " gains in event time in three update intervals at the speed measured. -1 until"
          + " partitions have been seen to catch up."),
  GROUP_DRIFT(
      ENUMERATOR_GROUP,
      "drift",
      VALUE,
      MILLISECONDS,
      "How far the furthest behind is behind the furthest ahead, skipped partitions included, idle"
          + " ones not."),
  MIN_WATERMARK(
      ENUMERATOR_GROUP,
      "minWatermark",
      VALUE,
      EPOCH_MILLISECONDS,
      "The lowest watermark that counts."),
  MAX_WATERMARK(
      ENUMERATOR_GROUP,
      "maxWatermark",
      VALUE,
      EPOCH_MILLISECONDS,
      "The highest watermark of a partition that is not idle."),
  SKIPPED_SPLITS(
      ENUMERATOR_GROUP,
      "skippedSplits",
      VALUE,
      COUNT,
      "How many partitions of this source are left out of the watermark."),

  SPLIT_DRIFT(
      ENUMERATOR_SPLIT,
      "drift",
      VALUE,
      MILLISECONDS,
      "How far the partition is behind the furthest of its alignment group, where it has one; 0"
          + " while it is idle or has no watermark."),
  SPLIT_BACKLOG(
      ENUMERATOR_SPLIT,
      "backlog",
      VALUE,
      RECORDS,
      "How many offsets the broker has that have not been read, those of open transactions included;"
          + " while records come, the mark behind a transaction counts as one. -1 while it is not"
          + " known: the broker does not answer, the reader restarts, or the partition has been read"
          + " to its end.");

  private final MetricPlace place;
  private final String metricName;
  private final MetricKind kind;
  private final MetricUnit unit;
  private final String meaning;

  JobMetric(
      MetricPlace place, String metricName, MetricKind kind, MetricUnit unit, String meaning) {
    this.place = place;
    this.metricName = metricName;
    this.kind = kind;
    this.unit = unit;
    this.meaning = meaning;
  }

  /** Where it is, and its labels. */
  public MetricPlace place() {
    return place;
  }

  /** Its name in its metric group. */
  public String metricName() {
    return metricName;
  }

  /** How it moves. */
  public MetricKind kind() {
    return kind;
  }

  /** What its number stands for. */
  public MetricUnit unit() {
    return unit;
  }

  /** What it says, in a sentence. */
  public String meaning() {
    return meaning;
  }

  /** Its name as Flink's Prometheus reporter shows it. */
  public String prometheusName() {
    return place.prometheusPrefix() + metricName;
  }

  /**
   * Exports it.
   *
   * @param scope Flink's group of the operator or of the enumerator
   * @param value asked whenever somebody reads the metric, by any thread; an object of its own for
   *     each subtask, because Flink's REST API tells gauges apart by their identity
   * @param labelValues one for each label of its place
   */
  public <T> void gauge(MetricGroup scope, Gauge<T> value, String... labelValues) {
    place.in(scope, labelValues).gauge(metricName, value);
  }

  /**
   * Exports it as a counter, to be counted up by one thread.
   *
   * @param scope Flink's group of the operator
   * @param labelValues one for each label of its place
   */
  public Counter counter(MetricGroup scope, String... labelValues) {
    return place.in(scope, labelValues).counter(metricName);
  }

  private static String quantile(String share) {
    return share
        + " of the accepted records were at most this late, by upper bounds of buckets, since the"
        + " subtask took the partition over; 0 before the first.";
  }

  private static <E extends Enum<E>> String codes(E[] values, ToIntFunction<E> code) {
    return Arrays.stream(values)
        .map(
            value ->
                code.applyAsInt(value)
                    + " "
                    + value.name().toLowerCase(Locale.ROOT).replace('_', ' '))
        .collect(Collectors.joining(", "));
  }
}
