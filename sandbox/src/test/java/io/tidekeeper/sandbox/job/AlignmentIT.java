package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidekeeper.sandbox.flink.JobRef;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What happens to a partition whose event time is further ahead than allowed. */
@ExtendWith(Lab.PerClass.class)
class AlignmentIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final double ACTIVE = 0;
  private static final double PAUSED = 2;
  private static final double IDLE_TIMEOUT_MILLIS = 4_000;

  /** Flink measures pauses by another clock. */
  private static final double CLOCKS_APART = 500;

  private static final int LEADER = 0;
  private static final int LAGGARD = 1;

  @Test
  void pauseLeadersHoldsTheLeaderUntilTheLaggardHasCaughtUpAndNeverTakesItForIdle(Lab lab) {
    try (Stream stream = lab.stream(2)) {
      Map<String, String> options = options("PauseLeaders");
      options.put("tidekeeper.default.watermark.idle-timeout", "4s");
      JobRef job = lab.flink.submit(stream.job(options, 1), null);
      Gauges gauges = new Gauges(lab.flink, job);
      String leader = stream.split(LEADER);

      stream.send(LAGGARD, "S2", 1_000);
      stream.send(LEADER, "S1", 1_000);
      stream.send(LEADER, "S1", 30_000);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                // Goes on speaking: a laggard that falls idle would hold nobody.
                stream.send(LAGGARD, "S2", 1_100);
                assertThat(gauges.split(leader, "state")).isEqualTo(PAUSED);
              });
      double idleBefore = gauges.flinkSplit(leader, "accumulatedIdleTimeMs");
      stream.send(LEADER, "S1", 31_000);
      await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(200))
          .until(
              () -> {
                stream.send(LAGGARD, "S2", 1_200);
                assertThat(gauges.split(leader, "state")).isEqualTo(PAUSED);
                assertThat(gauges.split(leader, "records")).isEqualTo(2);
                return gauges.flinkSplit(leader, "accumulatedPausedTimeMs")
                    > 1.5 * IDLE_TIMEOUT_MILLIS;
              });
      assertThat(gauges.flinkSplit(leader, "accumulatedIdleTimeMs")).isEqualTo(idleBefore);
      assertThat(stream.committedResults()).isEmpty();
      assertPauseShows(gauges, leader);
      assertThat(gauges.split(stream.split(LAGGARD), "pauses")).isZero();

      stream.send(LAGGARD, "S2", 30_500);
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(gauges.split(leader, "records")).isEqualTo(3));
      double paused = gauges.split(leader, "pausedMillis");
      double pauses = gauges.split(leader, "pauses");
      // Now both are silent, and idleness is what it should be.
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(stream.committedResults())
                      .anyMatch(result -> result.startsWith("S2@0="))
                      .contains("S1@0=1")
                      .hasSize(2));
      assertThat(stream.committedLate()).isEmpty();
      assertThat(gauges.split(leader, "pauses")).isEqualTo(pauses);
      assertThat(gauges.split(leader, "pausedMillis")).isEqualTo(paused);
      job.cancel();
    }
  }

  /** Nothing stands still with a leader that is held. */
  private static void assertPauseShows(Gauges gauges, String leader) {
    assertThat(gauges.split(leader, "pauses")).isGreaterThanOrEqualTo(1);
    double flinkBefore = gauges.flinkSplit(leader, "accumulatedPausedTimeMs");
    double paused = gauges.split(leader, "pausedMillis");
    assertThat(paused)
        .isBetween(
            flinkBefore - CLOCKS_APART,
            gauges.flinkSplit(leader, "accumulatedPausedTimeMs") + CLOCKS_APART);
    assertThat(gauges.split(leader, "millisSinceRecord")).isGreaterThan(IDLE_TIMEOUT_MILLIS);
    long earliest = System.currentTimeMillis();
    double lag = gauges.split(leader, "watermarkLagMillis");
    assertThat(lag).isBetween(earliest - 27_999.0, System.currentTimeMillis() - 27_999.0);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(gauges.split(leader, "pausedMillis")).isGreaterThan(paused);
              assertThat(gauges.split(leader, "watermarkLagMillis")).isGreaterThan(lag);
            });
  }

  @Test
  void alertOnlyPausesNobodyAndTheWatermarksShowTheDrift(Lab lab) {
    try (Stream stream = lab.stream(2)) {
      JobRef job = lab.flink.submit(stream.job(options("AlertOnly"), 1), null);
      Gauges gauges = new Gauges(lab.flink, job);

      stream.send(LAGGARD, "S2", 1_000);
      for (int second = 1; second <= 60; second++) {
        stream.send(LEADER, "S1", second * 1_000L);
      }
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(gauges.splits("watermark"))
                      .isEqualTo(
                          Map.of(stream.split(LEADER), 57_999.0, stream.split(LAGGARD), -1_001.0)));
      assertThat(gauges.splits("state"))
          .isEqualTo(Map.of(stream.split(LEADER), ACTIVE, stream.split(LAGGARD), ACTIVE));
      assertThat(gauges.flinkSplit(stream.split(LEADER), "accumulatedPausedTimeMs")).isZero();
      assertThat(stream.committedResults()).isEmpty();
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(gauges.enumerator("group_drift")).isEqualTo(59_000);
                assertThat(gauges.enumerator("group_minWatermark")).isEqualTo(-1_001);
                assertThat(gauges.enumerator("group_maxWatermark")).isEqualTo(57_999);
                assertThat(gauges.enumerator("group_skippedSplits")).isZero();
                assertThat(gauges.enumeratorSplit(stream.split(LAGGARD), "drift"))
                    .isEqualTo(59_000);
              });

      stream.send(LAGGARD, "S2", 15_000);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(stream.committedResults())
                      .containsExactlyInAnyOrder("S1@0=9", "S2@0=1"));
      job.cancel();
    }
  }

  private static Map<String, String> options(String onExceeded) {
    Map<String, String> options = new TreeMap<>(Stream.bounded("2s"));
    options.put("tidekeeper.default.alignment.group", "trips");
    options.put("tidekeeper.default.alignment.max-drift", "5s");
    options.put("tidekeeper.default.alignment.update-interval", "100ms");
    options.put("tidekeeper.default.alignment.on-exceeded", onExceeded);
    return options;
  }
}
