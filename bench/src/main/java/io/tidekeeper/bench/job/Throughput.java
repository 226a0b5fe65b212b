package io.tidekeeper.bench.job;

import io.tidekeeper.sandbox.Patience;
import io.tidekeeper.sandbox.flink.FlinkCluster;
import io.tidekeeper.sandbox.flink.JobRef;
import io.tidekeeper.sandbox.flink.JobSpec;
import java.time.Duration;

/**
 * Measures how fast a job reads a backlog. The start and the end do not count: jobs compile and
 * connect in the one, and run dry in the other.
 */
final class Throughput {

  private static final String RECORDS_OUT = "flink_taskmanager_job_task_operator_numRecordsOut";
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final double FROM = 0.2;
  private static final double TO = 0.9;

  private final FlinkCluster flink;
  private final long records;

  /**
   * @param records how many records wait
   */
  Throughput(FlinkCluster flink, long records) {
    this.flink = flink;
    this.records = records;
  }

  /** Runs the job from the start of the backlog and ends it. Returns records per second. */
  double of(JobSpec spec) {
    JobRef job = flink.submit(spec, null);
    try {
      Moment from = await(job, FROM);
      Moment to = await(job, TO);
      return (to.records - from.records) * 1e9 / (to.nanos - from.nanos);
    } finally {
      job.cancel();
    }
  }

  private Moment await(JobRef job, double share) {
    long wanted = (long) (records * share);
    Moment[] seen = {new Moment(0, System.nanoTime())};
    Patience.until(
        "%,d records read".formatted(wanted),
        PATIENCE,
        () -> {
          seen[0] = now(job);
          return seen[0].records >= wanted;
        },
        () -> "%,d read, the job is %s".formatted((long) seen[0].records, job.status()));
    return seen[0];
  }

  /** What the job's source has emitted; both jobs give their source the same name. */
  private Moment now(JobRef job) {
    double sum =
        flink.samples().stream()
            .filter(sample -> sample.name().equals(RECORDS_OUT))
            .filter(sample -> job.jobId().toString().equals(sample.labels().get("job_id")))
            .filter(
                sample -> sample.labels().getOrDefault("operator_name", "").startsWith("Source: "))
            .mapToDouble(sample -> sample.value())
            .sum();
    return new Moment(sum, System.nanoTime());
  }

  private record Moment(double records, long nanos) {}
}
