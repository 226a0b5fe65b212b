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
        () -> "%,d read, the job is %s".formatted(seen[0].records, job.status()));
    return seen[0];
  }

  private static Moment now(JobRef job) {
    return new Moment(SourceRecords.of(job.jobId().toString()), System.nanoTime());
  }

  private record Moment(long records, long nanos) {}
}
