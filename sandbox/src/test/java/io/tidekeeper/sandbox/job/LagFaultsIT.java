package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What lag metrics say while alignment holds a leader, on plain Flink and here. */
class LagFaultsIT {

  private static final double PAUSED = 2;
  private static final double BOUND = 2_000;

  /** From which lag on somebody is to be called. */
  private static final double ALERT = 10_000;

  /** For readings that are not of the same moment, and clocks that differ. */
  private static final double READING = 500;

  private static final int LEADER = 0;
  private static final int LAGGARD = 1;
  private static final String SOURCE = "Source: trips";

  private static Lab lab;

  @BeforeAll
  static void start(@TempDir Path dir) {
    lab = Lab.start(dir);
  }

  @AfterAll
  static void stop() {
    lab.close();
  }

  /** Field report 10. */
  @Test
  void theLagMetricShowsTwoSecondsWhileTheTruthIsAnHour() {
    try (Stream stream = lab.stream(2);
        TwoJobs jobs = twoJobs(stream)) {
      long laggard = holdTheLeader(stream, jobs);
      String leader = stream.split(LEADER);
      int reader = readerOfLeader(jobs.plain);
      double shown = plainOfReader(jobs.plain, reader, "watermarkLag");
      double shownOfRecords = plainOfReader(jobs.plain, reader, "currentEmitEventTimeLag");
      double truth = plainTruth(jobs.plain, leader);
      double lag = jobs.ours.split(leader, "watermarkLagMillis");
      double silence = jobs.ours.split(leader, "millisSinceRecord");
      await()
          .atMost(TwoJobs.PATIENCE)
          .until(
              () -> {
                stream.send(LEADER, "S1", System.currentTimeMillis());
                return plainTruth(jobs.plain, leader) > truth + 5_000;
              });

      double later = plainTruth(jobs.plain, leader);
      assertThat(plainOfReader(jobs.plain, reader, "watermarkLag"))
          .as("it stands still")
          .isEqualTo(shown)
          .isLessThan(later - 5_000);
      assertThat(plainOfReader(jobs.plain, reader, "currentEmitEventTimeLag"))
          .isEqualTo(shownOfRecords);
      assertThat(jobs.plain.total(SOURCE, "numRecordsOut")).as("the rest waits").isEqualTo(3);

      double watermark = jobs.ours.split(leader, "watermark");
      double from = System.currentTimeMillis() - watermark;
      double ours = jobs.ours.split(leader, "watermarkLagMillis");
      assertThat(ours).isBetween(from, System.currentTimeMillis() - watermark);
      assertThat(ours).isGreaterThan(lag + 4_000);
      assertThat(jobs.ours.split(leader, "millisSinceRecord")).isGreaterThan(silence + 4_000);
      System.out.printf(
          "plain: watermarkLag %.0f -> %.0f ms, truth %.0f -> %.0f ms; ours: watermarkLagMillis %.0f -> %.0f ms%n",
          shown, plainOfReader(jobs.plain, reader, "watermarkLag"), truth, later, lag, ours);

      goOn(stream, jobs, laggard);
    }
  }

  /** Field report 11. */
  @Test
  void delayAlertsFireDuringAlignmentPauses() {
    try (Stream stream = lab.stream(2);
        TwoJobs jobs = twoJobs(stream)) {
      long laggard = holdTheLeader(stream, jobs);
      String leader = stream.split(LEADER);
      // Whoever wants the truth of plain Flink goes by the watermark. The producer is punctual.
      await()
          .atMost(TwoJobs.PATIENCE)
          .until(
              () -> {
                stream.send(LEADER, "S1", System.currentTimeMillis());
                return plainTruth(jobs.plain, leader) > ALERT;
              });

      Gauges ours = jobs.ours;
      await()
          .atMost(TwoJobs.PATIENCE)
          .until(() -> ours.split(leader, "watermarkLagMillis") > ALERT);
      assertThat(ours.split(leader, "state")).isEqualTo(PAUSED);
      double bound = ours.split(leader, "outOfOrderness");
      double delay = ours.split(leader, "sourceDelayMillis");
      assertThat(bound).isEqualTo(BOUND);
      assertThat(delay).as("the source is not late").isBetween(0.0, ALERT / 2);
      // Nothing is left: the three parts are the whole lag.
      double from = bound + delay + ours.split(leader, "millisSinceRecord");
      double lag = ours.split(leader, "watermarkLagMillis");
      double to = bound + delay + ours.split(leader, "millisSinceRecord");
      assertThat(lag).isBetween(from - READING, to + READING);
      double paused = ours.split(leader, "pausedMillis");
      assertThat(paused).as("and the third part is the pause").isGreaterThan(ALERT / 2);
      assertThat(to - bound - delay - paused).isLessThan(ALERT / 2);
      // Of the laggard it is the source.
      assertThat(ours.split(stream.split(LAGGARD), "sourceDelayMillis")).isGreaterThan(ALERT);
      assertThat(ours.split(stream.split(LAGGARD), "pausedMillis")).isZero();
      assertThat(highWatermarkDrift(ours)).containsOnlyKeys(stream.split(LAGGARD));
      System.out.printf(
          "plain: %.0f ms and nothing else; ours: %.0f = bound %.0f + source %.0f + since the last record %.0f (paused %.0f) ms%n",
          plainTruth(jobs.plain, leader), lag, bound, delay, to - bound - delay, paused);

      goOn(stream, jobs, laggard);
      await()
          .atMost(TwoJobs.PATIENCE)
          .untilAsserted(() -> assertThat(ours.split(leader, "state")).isZero());
    }
  }

  private static TwoJobs twoJobs(Stream stream) {
    return TwoJobs.start(
        lab,
        stream,
        2,
        Map.of(
            "tidekeeper.default.watermark.idle-timeout", "10m",
            "tidekeeper.default.alignment.group", "trips",
            "tidekeeper.default.alignment.max-drift", "5s",
            "tidekeeper.default.alignment.update-interval", "100ms"),
        Map.of("plain.max-drift", "5s"));
  }

  /** One partition is a minute behind, the other punctual; returns the time of the former. */
  private static long holdTheLeader(Stream stream, TwoJobs jobs) {
    long laggard = System.currentTimeMillis() - Duration.ofMinutes(1).toMillis();
    String leader = stream.split(LEADER);
    stream.send(LAGGARD, "S2", laggard);
    stream.send(LEADER, "S1", laggard);
    await()
        .atMost(TwoJobs.PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(jobs.plain.total(SOURCE, "numRecordsOut")).isEqualTo(2);
              assertThat(jobs.ours.splits("records").values()).containsExactly(1.0, 1.0);
            });
    stream.send(LEADER, "S1", System.currentTimeMillis());
    await()
        .atMost(TwoJobs.PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(jobs.ours.split(leader, "state")).isEqualTo(PAUSED);
              assertThat(jobs.ours.split(leader, "records")).isEqualTo(2);
              assertThat(jobs.plain.flinkSplit(leader, "accumulatedPausedTimeMs")).isPositive();
            });
    return laggard;
  }

  /** The laggard catches up: both jobs go on and come to the same results. */
  private static void goOn(Stream stream, TwoJobs jobs, long laggard) {
    assertThat(stream.committedResults()).isEmpty();
    assertThat(jobs.plainResults()).isEmpty();
    long end = System.currentTimeMillis();
    for (long time = laggard + 1_000; time < end; time += 1_000) {
      stream.sendLater(LAGGARD, "S2", time);
    }
    stream.flush();
    stream.send(LEADER, "S1", end + 15_000);
    stream.send(LAGGARD, "S2", end + 15_000);
    await()
        .atMost(TwoJobs.PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(stream.committedResults()).anyMatch(result -> result.startsWith("S1@"));
              assertThat(stream.committedResults().size()).isGreaterThanOrEqualTo(6);
              assertThat(jobs.plainResults())
                  .containsExactlyInAnyOrderElementsOf(stream.committedResults());
            });
    assertThat(stream.committedLate()).isEmpty();
  }

  /** The subtask of the job on plain Flink that reads the leader: its watermark is the higher. */
  private static int readerOfLeader(Gauges plain) {
    SortedMap<Integer, Double> watermarks = plain.subtasks(SOURCE, "currentOutputWatermark");
    double highest = Collections.max(watermarks.values());
    return watermarks.entrySet().stream()
        .filter(entry -> entry.getValue() == highest)
        .mapToInt(Map.Entry::getKey)
        .findFirst()
        .orElseThrow();
  }

  private static double plainOfReader(Gauges plain, int reader, String metric) {
    return plain.subtasks(SOURCE, metric).getOrDefault(reader, Double.NaN);
  }

  /** How far the leader's watermark on plain Flink is behind the wall clock. */
  private static double plainTruth(Gauges plain, String leader) {
    double watermark = plain.flinkSplit(leader, "currentWatermark");
    return System.currentTimeMillis() - watermark;
  }

  /** What the shipped alert HighWatermarkDrift asks for, and whom it would fire for. */
  private static Map<String, Double> highWatermarkDrift(Gauges ours) {
    Map<String, Double> watermarks = ours.splits("watermark");
    Map<String, Double> states = ours.splits("state");
    double front =
        watermarks.entrySet().stream()
            .filter(split -> !Double.valueOf(1).equals(states.get(split.getKey())))
            .filter(split -> !Double.valueOf(3).equals(states.get(split.getKey())))
            .mapToDouble(Map.Entry::getValue)
            .max()
            .orElseThrow();
    Map<String, Double> firing = new TreeMap<>();
    watermarks.forEach(
        (split, watermark) -> {
          double drift = front - watermark;
          if (Double.valueOf(0).equals(states.get(split)) && drift > 10_000) {
            firing.put(split, drift);
          }
        });
    return firing;
  }
}
