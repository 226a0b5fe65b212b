package io.tidekeeper.job.metric;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.flink.metrics.MetricGroup;

/** Where a metric is: whose metric group it is in, and by which labels there are several of it. */
public enum MetricPlace {
  /** A source subtask, on its TaskManager. */
  SOURCE("Source", "Of each source subtask; `operator_name` is `Source: <name>`.", Side.TASK),
  /** A split of a source subtask. */
  SPLIT(
      "Partitions",
      "Of each partition, from the subtask that reads it; `split` is `<topic>-<partition>` with Kafka.",
      Side.TASK,
      "split"),
  /** A bucket of a split's lateness. */
  SPLIT_LATENESS(
      "Lateness of partitions",
      "A cumulative histogram of each partition; `le` is the bucket's upper bound in milliseconds,"
          + " inclusive, `+Inf` for the last.",
      Side.TASK,
      "split",
      "le"),
  /** The operator chained behind a source. */
  OBSERVER(
      "Behind the source",
      "Of each subtask of the operator that is chained behind a source.",
      Side.TASK),
  /** The operator in front of a window. */
  WATERMARK_RESTORE(
      "Watermark restore",
      "Of each subtask of the operator in front of the window; `operator_name` is"
          + " `watermark-restore`.",
      Side.TASK),
  /** A window. */
  WINDOW_FIRING("Window", "Of each subtask of the window.", Side.TASK),
  /** The operator behind a window. */
  WINDOW(
      "Behind the window",
      "Of each subtask of the operator that takes what the window calls late.",
      Side.TASK),
  /** A source, on the JobManager. */
  ENUMERATOR(
      "Source on the JobManager",
      "Of each source; `operator_name` is the name of its whole chain.",
      Side.JOB),
  /** A source whose job watches a policy file. */
  ENUMERATOR_FILE(
      "Policy file on the JobManager",
      "Of each source of a job with `tidekeeper.live.file`, see"
          + " [change without a restart](live-change.md).",
      Side.JOB),
  /** An alignment group, as one of its sources shows it. */
  ENUMERATOR_GROUP(
      "Alignment group",
      "Of each source that is in an alignment group; `group` is the group's name.",
      Side.JOB,
      "group"),
  /** A split, as the JobManager sees it. */
  ENUMERATOR_SPLIT(
      "Partitions on the JobManager",
      "Of each partition: `drift` with an alignment group, `backlog` where the source can be asked,"
          + " as the bundled pipelines can.",
      Side.JOB,
      "split");

  /** The metric group of everything ours. */
  static final String GROUP = "tidekeeper";

  private final String title;
  private final String description;
  private final Side side;

  @SuppressWarnings("ImmutableEnumChecker") // List.of makes it so
  private final List<String> labels;

  MetricPlace(String title, String description, Side side, String... labels) {
    this.title = title;
    this.description = description;
    this.side = side;
    this.labels = List.of(labels);
  }

  /** Heading of the reference page. */
  public String title() {
    return title;
  }

  /** One sentence on whose metrics these are. */
  public String description() {
    return description;
  }

  /** The labels that Flink does not add by itself, the outermost first. */
  public List<String> labels() {
    return labels;
  }

  /** What the name of each of its metrics begins with at Prometheus. */
  String prometheusPrefix() {
    return side.prefix
        + GROUP
        + labels.stream().map(label -> '_' + label).collect(Collectors.joining())
        + '_';
  }

  /**
   * The metric group of this place.
   *
   * @param scope Flink's group of the operator or of the enumerator
   * @param labelValues one for each label
   * @throws IllegalArgumentException for another number of values than of labels
   */
  public MetricGroup in(MetricGroup scope, String... labelValues) {
    if (labelValues.length != labels.size()) {
      throw new IllegalArgumentException(
          "%s has the labels %s, not the values %s"
              .formatted(this, labels, Arrays.toString(labelValues)));
    }
    MetricGroup group = scope.addGroup(GROUP);
    for (int i = 0; i < labelValues.length; i++) {
      group = group.addGroup(labels.get(i), labelValues[i]);
    }
    return group;
  }

  private enum Side {
    TASK("flink_taskmanager_job_task_operator_"),
    JOB("flink_jobmanager_job_operator_coordinator_enumerator_");

    private final String prefix;

    Side(String prefix) {
      this.prefix = prefix;
    }
  }
}
