package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidekeeper.sandbox.flink.JobRef;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a strategy has learned goes on after a savepoint, another parallelism and a failure. */
class LearnedStateIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int PARTITIONS = 4;

  private static Lab lab;

  @BeforeAll
  static void start(@TempDir Path dir) {
    lab = Lab.start(dir);
  }

  @AfterAll
  static void stop() {
    lab.close();
  }

  /** One record in five is three seconds late; what holds without any knowledge is an hour. */
  @Test
  void aQuantileSurvivesSavepointsRescalingAndAKilledTaskManager() {
    Map<String, String> options =
        learning(
            Map.of(
                "type", "Quantile",
                "quantile.level", "99%",
                "quantile.max", "1h",
                "quantile.min-samples", "100"));
    try (Stream stream = lab.stream(PARTITIONS)) {
      JobRef two = lab.flink.submit(stream.job(options, 2), null);
      sendFifthThreeSecondsLate(stream, 1_000_000);
      awaitBounds(two, 2_900, 3_200);

      JobRef four = lab.flink.submit(stream.job(options, 4), two.stopWithSavepoint(false));
      awaitBounds(four, 2_900, 3_200);
      await().atMost(PATIENCE).until(() -> four.completedCheckpoints() > 0);
      lab.flink.killTaskManager(0);
      lab.flink.startTaskManager();
      await().atMost(PATIENCE).until(() -> four.restarts() > 0);
      four.awaitRunning(PATIENCE);
      awaitBounds(four, 2_900, 3_200);

      JobRef one = lab.flink.submit(stream.job(options, 1), four.stopWithSavepoint(false));
      awaitBounds(one, 2_900, 3_200);
      one.cancel();
    }
  }

  /** From 20 seconds at first, which only what was learned can have brought down. */
  @Test
  void anAdaptiveBoundSurvivesASavepoint() {
    Map<String, String> options = adaptive();
    try (Stream stream = lab.stream(PARTITIONS)) {
      JobRef job = lab.flink.submit(stream.job(options, 2), null);
      sendFifthThreeSecondsLate(stream, 1_000_000);
      awaitBounds(job, 500, 15_000);
      JobRef restored = lab.flink.submit(stream.job(options, 2), job.stopWithSavepoint(false));
      awaitBounds(restored, 500, 15_000);
      restored.cancel();
    }
  }

  /** Before there was learned state the observer behind the source had none. */
  @Test
  void aSavepointFromBeforeThereWasLearnedStateStartsAtTheInitialBoundAndLearns(@TempDir Path dir) {
    Map<String, String> options = adaptive();
    try (Stream stream = lab.stream(PARTITIONS)) {
      JobRef today = lab.flink.submit(stream.job(options, 2), null);
      sendFifthThreeSecondsLate(stream, 1_000_000);
      awaitBounds(today, 500, 15_000);
      String savepoint =
          OlderSavepoint.without(
              "subway-source-observer", today.stopWithSavepoint(false), dir.resolve("older"));

      JobRef restored = lab.flink.submit(stream.job(options, 2), savepoint);
      awaitBounds(restored, 20_000, 20_000);
      // The rest is there: nothing is read twice, and event time goes on where it was.
      Gauges gauges = new Gauges(lab.flink, restored);
      assertThat(gauges.splits("records").values()).containsOnly(0.0);
      assertThat(gauges.subtasks("watermark-restore", "tidekeeper_restoredWatermark").values())
          .hasSize(2)
          .allSatisfy(watermark -> assertThat(watermark).isGreaterThan(1_200_000));
      sendFifthThreeSecondsLate(stream, 2_000_000);
      awaitBounds(restored, 500, 15_000);
      assertThat(restored.restarts()).isZero();
      restored.cancel();
    }
  }

  private static Map<String, String> adaptive() {
    return learning(
        Map.of(
            "type", "Adaptive",
            "adaptive.late-share", "1%",
            "adaptive.max", "24h",
            "adaptive.initial", "20s"));
  }

  private static Map<String, String> learning(Map<String, String> strategy) {
    Map<String, String> options = new TreeMap<>();
    strategy.forEach((key, value) -> options.put("tidekeeper.default.watermark." + key, value));
    options.put("restart-strategy.type", "fixed-delay");
    options.put("restart-strategy.fixed-delay.attempts", "1000");
    options.put("restart-strategy.fixed-delay.delay", "100ms");
    return options;
  }

  private static void sendFifthThreeSecondsLate(Stream stream, long from) {
    for (int i = 0; i < 500; i++) {
      long time = from + i * 500L;
      for (int partition = 0; partition < PARTITIONS; partition++) {
        stream.sendLater(partition, "S1", i % 5 == 4 ? time - 3_500 : time);
      }
    }
    stream.flush();
  }

  /** Also that all of the job runs: a source can be through its records before the rest is up. */
  private static void awaitBounds(JobRef job, double least, double most) {
    job.awaitRunning(PATIENCE);
    Gauges gauges = new Gauges(lab.flink, job);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(gauges.splits("outOfOrderness").values())
                    .hasSize(PARTITIONS)
                    .allSatisfy(bound -> assertThat(bound).isBetween(least, most)));
  }
}
