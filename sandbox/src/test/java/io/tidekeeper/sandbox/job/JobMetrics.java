package io.tidekeeper.sandbox.job;

import io.tidekeeper.sandbox.flink.FlinkCluster;
import io.tidekeeper.sandbox.flink.JobRef;
import io.tidekeeper.sandbox.flink.Sample;

/** The metrics of one job as Prometheus sees them at this moment. */
final class JobMetrics {

  private static final String GROUP = "flink_taskmanager_job_task_operator_tidekeeper_";

  private JobMetrics() {}

  /**
   * A metric of the group {@code tidekeeper}, summed over subtasks and splits; 0 when there is
   * none.
   *
   * @param name such as {@code routedLate} or {@code split_records}
   */
  static long sum(FlinkCluster flink, JobRef job, String name) {
    double sum = 0;
    for (Sample sample : flink.samples()) {
      if (sample.name().equals(GROUP + name)
          && job.jobId().toHexString().equals(sample.labels().get("job_id"))) {
        sum += sample.value();
      }
    }
    return Math.round(sum);
  }
}
