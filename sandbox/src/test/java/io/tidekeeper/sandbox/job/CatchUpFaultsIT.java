package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidekeeper.sandbox.flink.JobRef;
import io.tidekeeper.sandbox.flink.JobSpec;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What alignment costs a job that catches up, on plain Flink and here. */
class CatchUpFaultsIT {

  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final int PARTITIONS = 2;

  /** More than three minutes of event time in each partition; a job reads one in 600 ms. */
  private static final int RECORDS = 2_000;

  private static final Duration STEP = Duration.ofMillis(100);

  /** One percent of what a partition gains in event time from one report to the next. */
  private static final Duration TOO_SMALL = Duration.ofMillis(200);

  private static final Duration AMPLE = Duration.ofHours(1);

  /**
   * A catch-up.
   *
   * @param took from the first record to the last
   * @param pausedShare of that time, of all partitions
   * @param recommended of the job with the library, in milliseconds
   */
  private record CatchUp(Duration took, double pausedShare, double recommended) {

    /** Event time read per time that passed. */
    double speed() {
      return (double) RECORDS * STEP.toMillis() / took.toMillis();
    }
  }

  /** Field report 13. */
  @Test
  void alignmentCutsCatchUpThroughput(@TempDir Path dir) {
    try (Lab lab = Lab.start(dir);
        Stream stream = lab.stream(PARTITIONS)) {
      long start = System.currentTimeMillis() - Duration.ofDays(1).toMillis();
      for (int record = 0; record < RECORDS; record++) {
        for (int partition = 0; partition < PARTITIONS; partition++) {
          stream.sendRawLater(partition, String.valueOf(start + record * STEP.toMillis()));
        }
      }
      stream.flush();

      CatchUp ample = plain(lab, stream, AMPLE);
      CatchUp slow = plain(lab, stream, TOO_SMALL);
      report("plain, ample", ample);
      report("plain, too small", slow);
      assertThat(ample.pausedShare()).as("it is alignment that costs").isLessThan(0.05);
      assertThat(slow.speed()).isLessThan(0.8 * ample.speed());

      CatchUp tight = ours(lab, stream, TOO_SMALL);
      report("ours, too small", tight);
      assertThat(tight.pausedShare()).as("the metric shows it").isGreaterThan(0.5);
      // What a partition can gain in three intervals: 100 ms a record, which takes 1 ms at the
      // least.
      double most = 3.0 * CatchUpJob.UPDATE_INTERVAL.dividedBy(CatchUpJob.WORK) * STEP.toMillis();
      assertThat(tight.recommended()).isBetween(10.0 * TOO_SMALL.toMillis(), 1.1 * most);

      CatchUp recommended = ours(lab, stream, Duration.ofMillis((long) tight.recommended()));
      report("ours, recommended", recommended);
      assertThat(recommended.pausedShare()).isLessThan(tight.pausedShare() / 2);
      assertThat(recommended.speed()).isGreaterThan(tight.speed() / 0.8);
    }
  }

  private static CatchUp plain(Lab lab, Stream stream, Duration maxDrift) {
    return read(
        lab,
        CatchUpJob.plain(lab.broker, stream, maxDrift),
        gauges -> {
          double paused = 0;
          for (int partition = 0; partition < PARTITIONS; partition++) {
            paused += gauges.flinkSplit(stream.split(partition), "accumulatedPausedTimeMs");
          }
          return paused;
        });
  }

  private static CatchUp ours(Lab lab, Stream stream, Duration maxDrift) {
    return read(
        lab,
        CatchUpJob.ours(lab.broker, stream, maxDrift),
        gauges ->
            gauges.splits("pausedMillis").values().stream().mapToDouble(Double::doubleValue).sum());
  }

  private interface PausedMillis {
    double of(Gauges gauges);
  }

  private static CatchUp read(Lab lab, JobSpec spec, PausedMillis paused) {
    JobRef job = lab.flink.submit(spec, null);
    Gauges gauges = new Gauges(lab.flink, job);
    awaitRead(gauges, 1);
    long begin = System.nanoTime();
    awaitRead(gauges, (long) PARTITIONS * RECORDS);
    Duration took = Duration.ofNanos(System.nanoTime() - begin);
    double share = paused.of(gauges) / PARTITIONS / took.toMillis();
    double recommended = gauges.enumerator("group_recommendedMaxDrift");
    job.cancel();
    return new CatchUp(took, share, recommended);
  }

  private static void awaitRead(Gauges gauges, long records) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .until(() -> gauges.total("Source: trips", "numRecordsOut") >= records);
  }

  private static void report(String name, CatchUp catchUp) {
    System.out.printf(
        "%s: %.1f s, %.0f s of event time a second, paused %.0f %%, recommended %.0f ms%n",
        name,
        catchUp.took().toMillis() / 1e3,
        catchUp.speed(),
        100 * catchUp.pausedShare(),
        catchUp.recommended());
  }
}
