package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidekeeper.sandbox.flink.JobRef;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Partitions that stay behind are left out of the watermark, and come back. */
@ExtendWith(Lab.PerClass.class)
class SkipLaggardIT {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final double ACTIVE = 0;
  private static final double IDLE = 1;
  private static final double PAUSED = 2;
  private static final double SKIPPED = 4;
  private static final int LAGGARD = 0;
  private static final int LEADER = 1;

  /** Ten minutes after the laggard. */
  private static final long LATER = 600_000;

  @Test
  void aPartitionTenMinutesBehindIsSkippedItsRecordsAreKeptAndItIsTakenBack(Lab lab) {
    try (Stream stream = lab.stream(2)) {
      JobRef job = lab.flink.submit(stream.job(options("SkipLaggard"), 2), null);
      Gauges gauges = new Gauges(lab.flink, job);
      String laggard = stream.split(LAGGARD);

      stream.send(LAGGARD, "S2", 1_000);
      stream.send(LEADER, "S1", LATER);
      stream.send(LEADER, "S1", LATER + 13_000);
      awaitState(gauges, laggard, SKIPPED);
      assertThat(gauges.split(stream.split(LEADER), "state")).isEqualTo(ACTIVE);
      // Its record came in time, and the window waited for it no longer.
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(stream.committedResults())
                      .containsExactlyInAnyOrder("S2@0=1", "S1@600000=1"));
      assertThat(gauges.enumerator("group_drift")).isEqualTo(LATER + 12_000);
      assertThat(gauges.enumerator("group_maxDrift")).isEqualTo(5_000);
      assertThat(gauges.enumerator("group_skippedSplits")).isEqualTo(1);
      assertThat(gauges.enumerator("group_minWatermark"))
          .isEqualTo(gauges.enumerator("group_maxWatermark"))
          .isEqualTo(LATER + 10_999);
      assertThat(gauges.enumeratorSplit(laggard, "drift")).isEqualTo(LATER + 12_000);

      long now = System.currentTimeMillis();
      assertThat(gauges.split(laggard, "watermarkLagMillis"))
          .as("it goes on while the partition is left out")
          .isGreaterThanOrEqualTo(now + 1_001.0);

      for (int second = 2; second <= 9; second++) {
        stream.send(LAGGARD, "S2", second * 1_000L);
      }
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(stream.committedLate()).hasSize(8);
                assertThat(gauges.split(laggard, "skippedRecords")).isEqualTo(8);
              });
      stream.send(LEADER, "S1", LATER + 23_000);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(stream.committedResults()).contains("S1@610000=1").hasSize(3));

      // Past what the window has seen: one that is taken back behind it counts only from there on.
      stream.send(LAGGARD, "S2", LATER + 23_500);
      awaitState(gauges, laggard, ACTIVE);
      assertThat(gauges.enumerator("group_skippedSplits")).isZero();
      assertThat(gauges.split(laggard, "skippedRecords")).isEqualTo(9);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(gauges.subtasks("Source: trips", "currentOutputWatermark").values())
                      .contains(LATER + 21_499.0));
      double before = intoWindows(gauges);
      stream.send(LAGGARD, "S2", LATER + 22_000);
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(intoWindows(gauges)).isEqualTo(before + 1));
      // What follows its watermark has arrived, so the watermark has: the window of 620 s waits.
      stream.send(LEADER, "S1", LATER + 24_000);
      stream.send(LEADER, "S1", LATER + 33_000);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(
                          gauges.subtasks("watermark-restore", "currentOutputWatermark").values())
                      .containsOnly(LATER + 21_499.0));
      assertThat(stream.committedResults()).hasSize(3);
      stream.send(LAGGARD, "S2", LATER + 33_000);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(stream.committedResults())
                      .containsExactlyInAnyOrder(
                          "S2@0=1", "S1@600000=1", "S1@610000=1", "S1@620000=2", "S2@620000=2"));
      assertThat(stream.committedLate()).hasSize(8);
      assertThat(gauges.split(laggard, "skippedRecords")).isEqualTo(9);
      job.cancel();
    }
  }

  /** Records that windows have received. */
  private static double intoWindows(Gauges gauges) {
    return gauges.total("count per station", "numRecordsIn");
  }

  @Test
  void whenTheLeaderFallsSilentTheLaggardCountsAgainAndTheWatermarkDoesNotJump(Lab lab) {
    try (Stream stream = lab.stream(2)) {
      Map<String, String> options = options("SkipLaggard");
      options.put("tidekeeper.default.watermark.idle-timeout", "4s");
      JobRef job = lab.flink.submit(stream.job(options, 1), null);
      Gauges gauges = new Gauges(lab.flink, job);
      String laggard = stream.split(LAGGARD);

      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                stream.send(LAGGARD, "S2", 1_000);
                stream.send(LEADER, "S1", 30_000);
                assertThat(gauges.split(laggard, "state")).isEqualTo(SKIPPED);
              });
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                stream.send(LAGGARD, "S2", 1_000);
                assertThat(gauges.split(stream.split(LEADER), "state")).isEqualTo(IDLE);
                assertThat(gauges.split(laggard, "state")).isEqualTo(ACTIVE);
              });
      assertThat(gauges.subtasks("watermark-restore", "currentOutputWatermark").values())
          .as("the leader's last word, and not a step further")
          .containsExactly(27_999.0);
      // On its own it goes on from there.
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                stream.send(LAGGARD, "S2", 45_000);
                assertThat(gauges.subtasks("watermark-restore", "currentOutputWatermark").values())
                    .containsExactly(42_999.0);
              });
      job.cancel();
    }
  }

  @Test
  void leadersThatArePausedWaitOnlySoLong(Lab lab) {
    try (Stream stream = lab.stream(2)) {
      Map<String, String> options = options("PauseLeaders");
      options.put("tidekeeper.default.watermark.idle-timeout", "10m");
      options.put("tidekeeper.default.alignment.skip-after", "5s");
      JobRef job = lab.flink.submit(stream.job(options, 1), null);
      Gauges gauges = new Gauges(lab.flink, job);
      String leader = stream.split(LEADER);

      stream.send(LAGGARD, "S2", 1_000);
      stream.send(LEADER, "S1", LATER);
      awaitState(gauges, leader, PAUSED);
      stream.send(LEADER, "S1", LATER + 13_000);
      awaitState(gauges, stream.split(LAGGARD), SKIPPED);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(gauges.split(leader, "state")).isEqualTo(ACTIVE);
                assertThat(gauges.split(leader, "records")).isEqualTo(2);
                assertThat(stream.committedResults())
                    .containsExactlyInAnyOrder("S2@0=1", "S1@600000=1");
              });
      job.cancel();
    }
  }

  /** The furthest partition of the lagging source goes on counting for that source. */
  @Test
  void ofASourceThatIsBehindAsAWholeOnePartitionCounts(Lab lab) {
    try (Stream live = lab.stream(1);
        Stream backfill = lab.stream(2)) {
      JobRef job =
          lab.flink.submit(
              TwoSourcesJob.of(lab.broker, live, backfill, options("SkipLaggard")), null);
      Gauges gauges = new Gauges(lab.flink, job);
      live.send(0, "S1", LATER);
      backfill.send(0, "S2", 1_000);
      backfill.send(1, "S2", 3_000);
      awaitState(gauges, backfill.split(0), SKIPPED);
      assertThat(gauges.split(backfill.split(1), "state")).isEqualTo(ACTIVE);
      assertThat(gauges.enumerator("live", "group_drift"))
          .isEqualTo(gauges.enumerator("backfill", "group_drift"))
          .isEqualTo(LATER - 1_000);
      job.cancel();
    }
  }

  @Test
  void aSourceInAGroupOfItsOwnIsNobodysLaggard(Lab lab) {
    try (Stream live = lab.stream(1);
        Stream backfill = lab.stream(2)) {
      Map<String, String> options = options("SkipLaggard");
      options.put("tidekeeper.source.backfill.watermark.type", "Monotonous");
      options.put("tidekeeper.source.backfill.alignment.group", "old");
      options.put("tidekeeper.source.backfill.alignment.max-drift", "5s");
      options.put("tidekeeper.source.backfill.alignment.update-interval", "100ms");
      options.put("tidekeeper.source.backfill.alignment.on-exceeded", "SkipLaggard");
      options.put("tidekeeper.source.backfill.alignment.skip-after", "1s");
      JobRef job = lab.flink.submit(TwoSourcesJob.of(lab.broker, live, backfill, options), null);
      Gauges gauges = new Gauges(lab.flink, job);
      live.send(0, "S1", LATER);
      backfill.send(0, "S2", 1_000);
      backfill.send(1, "S2", 3_000);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(gauges.enumerator("backfill", "group_drift")).isEqualTo(2_000);
                assertThat(gauges.enumerator("live", "group_maxWatermark"))
                    .isEqualTo(LATER - 2_001);
              });
      // Behind in its own group, that one is skipped: so the time was up for the other one, too.
      backfill.send(1, "S2", 30_000);
      awaitState(gauges, backfill.split(0), SKIPPED);
      assertThat(gauges.split(backfill.split(1), "state")).isEqualTo(ACTIVE);
      assertThat(gauges.enumerator("live", "group_drift")).isZero();
      job.cancel();
    }
  }

  private static void awaitState(Gauges gauges, String split, double state) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(gauges.split(split, "state")).isEqualTo(state));
  }

  private static Map<String, String> options(String onExceeded) {
    Map<String, String> options = new TreeMap<>(Stream.bounded("2s"));
    options.put("tidekeeper.default.alignment.group", "trips");
    options.put("tidekeeper.default.alignment.max-drift", "5s");
    options.put("tidekeeper.default.alignment.update-interval", "100ms");
    options.put("tidekeeper.default.alignment.on-exceeded", onExceeded);
    options.put("tidekeeper.default.alignment.skip-after", "2s");
    return options;
  }
}
