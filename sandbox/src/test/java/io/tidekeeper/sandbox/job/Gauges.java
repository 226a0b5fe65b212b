package io.tidekeeper.sandbox.job;

import io.tidekeeper.sandbox.flink.FlinkCluster;
import io.tidekeeper.sandbox.flink.JobRef;
import io.tidekeeper.sandbox.flink.Sample;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The metrics of one job as they are at this moment. */
record Gauges(FlinkCluster flink, JobRef job) {

  private static final String OPERATOR = "flink_taskmanager_job_task_operator_";
  private static final String ENUMERATOR =
      "flink_jobmanager_job_operator_coordinator_enumerator_tidekeeper_";

  /** What a watermark metric shows before the first watermark. */
  static final double NO_WATERMARK = Long.MIN_VALUE;

  /** One of our metrics of a split; NaN while there is none. */
  double split(String splitId, String metric) {
    return single("tidekeeper_split_" + metric, splitId);
  }

  /** One of Flink's own metrics of a split; NaN while there is none. */
  double flinkSplit(String splitId, String metric) {
    return single("split_watermark_" + metric, splitId);
  }

  /** A metric of each running subtask of an operator, by the subtask's index. */
  SortedMap<Integer, Double> subtasks(String operator, String metric) {
    SortedMap<Integer, Double> values = new TreeMap<>();
    for (Sample sample : flink.samples()) {
      if (isMine(sample, metric) && operator.equals(sample.labels().get("operator_name"))) {
        values.put(
            Integer.parseInt(sample.labels().getOrDefault("subtask_index", "-1")), sample.value());
      }
    }
    return values;
  }

  /** A metric summed over all subtasks of all operators of this name. */
  double total(String operator, String metric) {
    return flink.samples().stream()
        .filter(sample -> isMine(sample, metric))
        .filter(sample -> operator.equals(sample.labels().get("operator_name")))
        .mapToDouble(Sample::value)
        .sum();
  }

  /** The labels {@code split} under which our metrics of this job appear. */
  SortedMap<String, Double> splits(String metric) {
    SortedMap<String, Double> values = new TreeMap<>();
    for (Sample sample : flink.samples()) {
      if (isMine(sample, "tidekeeper_split_" + metric)) {
        values.put(sample.labels().getOrDefault("split", ""), sample.value());
      }
    }
    return values;
  }

  /** One of our metrics of the only source on the JobManager; NaN while there is none. */
  double enumerator(String metric) {
    return enumerators(metric, sample -> true);
  }

  /** The same of a source of this name; the JobManager knows it by the name of its whole chain. */
  double enumerator(String source, String metric) {
    return enumerators(
        metric,
        sample ->
            (sample.labels().getOrDefault("operator_name", "") + " ")
                .startsWith("Source: " + source + " "));
  }

  /** One of our metrics of a split on the JobManager; NaN while there is none. */
  double enumeratorSplit(String splitId, String metric) {
    return enumerators("split_" + metric, sample -> splitId.equals(sample.labels().get("split")));
  }

  private double enumerators(String metric, Predicate<Sample> wanted) {
    return flink.samples().stream()
        .filter(sample -> sample.name().equals(ENUMERATOR + metric))
        .filter(sample -> job.jobId().toString().equals(sample.labels().get("job_id")))
        .filter(wanted)
        .mapToDouble(Sample::value)
        .findFirst()
        .orElse(Double.NaN);
  }

  private double single(String metric, String splitId) {
    Predicate<Sample> wanted =
        sample -> isMine(sample, metric) && splitId.equals(sample.labels().get("split"));
    return flink.samples().stream()
        .filter(wanted)
        .mapToDouble(Sample::value)
        .findFirst()
        .orElse(Double.NaN);
  }

  private boolean isMine(Sample sample, String metric) {
    return sample.name().equals(OPERATOR + metric)
        && job.jobId().toString().equals(sample.labels().get("job_id"));
  }
}
