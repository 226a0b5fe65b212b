package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidekeeper.sandbox.flink.JobRef;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a partition that has records and is not read, on plain Flink and here. */
class BacklogFaultsIT {

  private static final double ACTIVE = 0;
  private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(3);

  /** Together 20 s of work for a reader. */
  private static final int OLD_TRIPS = 500;

  private static final int RISING_TRIPS = 1_500;

  private static final int WAITING_TRIPS = 5;

  /** Field report 1. */
  @Test
  void recordsAreLostAlthoughAnIdleTimeoutIsSet(@TempDir Path dir) {
    try (Lab lab = Lab.start(dir);
        Stream stream = lab.stream(2)) {
      JobRef plainJob =
          lab.flink.submit(SlowReaderJob.plain(lab.broker, stream, IDLE_TIMEOUT), null);
      JobRef ourJob =
          lab.flink.submit(
              SlowReaderJob.ours(
                  lab.broker,
                  stream,
                  Map.of(
                      "tidekeeper.default.watermark.idle-timeout", IDLE_TIMEOUT.toSeconds() + "s")),
              null);
      Gauges plain = new Gauges(lab.flink, plainJob);
      Gauges ours = new Gauges(lab.flink, ourJob);
      stream.send(1, "S2", 500);
      awaitRead(plain, ours, 1);

      // Partition 0 is fetched as a whole; what partition 1 gets now is read after it.
      List<Long> times = new ArrayList<>();
      for (int i = 0; i < OLD_TRIPS; i++) {
        times.add(1_000L);
      }
      for (int i = 1; i <= RISING_TRIPS; i++) {
        times.add(1_000L + i * 100L);
      }
      times.forEach(time -> stream.sendLater(0, "S1", time));
      stream.flush();
      awaitRead(plain, ours, 50);
      for (int i = 1; i <= WAITING_TRIPS; i++) {
        stream.send(1, "S2", 1_000L + i * 1_000L);
      }

      // The fault: the broker has had them for longer than the idle timeout. Plain Flink calls that
      // idle, and event time passes them by; here the partition counts and shows what it holds.
      await()
          .atMost(TwoJobs.PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(ours.enumeratorSplit(stream.split(1), "backlog"))
                    .isEqualTo(WAITING_TRIPS);
                assertThat(ours.split(stream.split(1), "millisSinceRecord"))
                    .isGreaterThan((double) IDLE_TIMEOUT.multipliedBy(2).toMillis());
                assertThat(ours.split(stream.split(1), "records")).isEqualTo(1);
                assertThat(ours.split(stream.split(1), "state")).isEqualTo(ACTIVE);
                assertThat(plain.flinkSplit(stream.split(1), "accumulatedIdleTimeMs")).isPositive();
                assertThat(TwoJobs.windowWatermark(plain)).isGreaterThan(10_000);
              });
      assertThat(TwoJobs.windowWatermark(ours)).isLessThan(1_000);

      await()
          .atMost(TwoJobs.PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(plain.total("count per station", "numLateRecordsDropped"))
                      .isEqualTo(WAITING_TRIPS));

      int all = 1 + OLD_TRIPS + RISING_TRIPS + WAITING_TRIPS;
      awaitRead(plain, ours, all);
      stream.send(0, "S1", 300_000);
      stream.send(1, "S2", 300_000);
      Map<Long, Long> counts = new TreeMap<>();
      times.forEach(time -> counts.merge(time - time % 10_000, 1L, Long::sum));
      List<String> results = new ArrayList<>();
      counts.forEach((window, count) -> results.add("S1@%d=%d".formatted(window, count)));
      results.add("S2@0=" + (1 + WAITING_TRIPS));
      await()
          .atMost(TwoJobs.PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(stream.committedResults())
                      .containsExactlyInAnyOrderElementsOf(results));
      assertThat(ours.total("count per station", "numLateRecordsDropped")).isZero();
      assertThat(ours.splits("lateRecords"))
          .isEqualTo(Map.of(stream.split(0), 0.0, stream.split(1), 0.0));
      await()
          .atMost(TwoJobs.PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(ours.enumeratorSplit(stream.split(0), "backlog")).isZero();
                assertThat(ours.enumeratorSplit(stream.split(1), "backlog")).isZero();
              });
      assertThat(stream.committedResults(stream.plainResults())).contains("S2@0=1");

      ourJob.cancel();
      plainJob.cancel();
    }
  }

  private static void awaitRead(Gauges plain, Gauges ours, int atLeast) {
    await()
        .atMost(TwoJobs.PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(plain.total("Source: trips", "numRecordsOut"))
                  .isGreaterThanOrEqualTo(atLeast);
              assertThat(
                      ours.splits("records").values().stream()
                          .mapToDouble(Double::doubleValue)
                          .sum())
                  .isGreaterThanOrEqualTo(atLeast);
            });
  }
}
