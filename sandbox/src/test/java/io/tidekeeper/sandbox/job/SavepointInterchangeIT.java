package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidekeeper.sandbox.flink.JobRef;
import io.tidekeeper.sandbox.flink.JobSpec;
import io.tidekeeper.sandbox.plain.PlainSubwayJob;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A plain Flink job hands its savepoint to ours, and takes ours back. */
@ExtendWith(Lab.PerClass.class)
class SavepointInterchangeIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Test
  void offsetsAndOpenWindowsOfAPlainJobGoOnInOursAndComeBack(Lab lab) {
    try (Stream stream = lab.stream(2)) {
      JobSpec plain = plain(stream, Map.of("plain.results-sink-uid", "subway-results-sink"), 2);
      JobSpec ours = stream.job(Stream.bounded("2s"), 2);

      JobRef first = lab.flink.submit(plain, null);
      sendToBoth(stream, 1_000);
      sendToBoth(stream, 13_000);
      awaitResults(stream, "S1@0=2");
      String plainSavepoint = first.stopWithSavepoint(false);

      JobRef second = lab.flink.submit(ours, plainSavepoint);
      sendToBoth(stream, 15_000);
      sendToBoth(stream, 23_000);
      awaitResults(stream, "S1@0=2", "S1@10000=4");
      String ourSavepoint = second.stopWithSavepoint(false);

      JobRef third = lab.flink.submit(plain.allowingNonRestoredState(), ourSavepoint);
      sendToBoth(stream, 26_000);
      sendToBoth(stream, 33_000);
      awaitResults(stream, "S1@0=2", "S1@10000=4", "S1@20000=4");
      third.stopWithSavepoint(true);

      assertThat(stream.committedResults())
          .containsExactlyInAnyOrder("S1@0=2", "S1@10000=4", "S1@20000=4", "S1@30000=2");
      assertThat(stream.committedLate()).isEmpty();
      assertThat(stream.committedDeadLetters()).isEmpty();
    }
  }

  /** A plain job has no operator that could have learned anything. */
  @Test
  void aStrategyThatLearnsStartsFromAPlainSavepointAtItsInitialBound(Lab lab) {
    try (Stream stream = lab.stream(2)) {
      JobRef first =
          lab.flink.submit(
              plain(stream, Map.of("plain.results-sink-uid", "subway-results-sink"), 2), null);
      sendToBoth(stream, 1_000);
      sendToBoth(stream, 13_000);
      awaitResults(stream, "S1@0=2");
      String plainSavepoint = first.stopWithSavepoint(false);

      Map<String, String> adaptive =
          Map.of(
              "tidekeeper.default.watermark.type", "Adaptive",
              "tidekeeper.default.watermark.adaptive.late-share", "1%",
              "tidekeeper.default.watermark.adaptive.max", "1h",
              "tidekeeper.default.watermark.adaptive.initial", "20s");
      JobRef second = lab.flink.submit(stream.job(adaptive, 2), plainSavepoint);
      Gauges gauges = new Gauges(lab.flink, second);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(gauges.splits("outOfOrderness"))
                      .isEqualTo(Map.of(stream.split(0), 20_000.0, stream.split(1), 20_000.0)));
      sendToBoth(stream, 15_000);
      // Its front is a median of records, so one alone does not move it.
      for (int record = 0; record < 20; record++) {
        sendToBoth(stream, 45_000);
      }
      awaitResults(stream, "S1@0=2", "S1@10000=4");
      assertThat(gauges.splits("outOfOrderness").values()).containsOnly(20_000.0);
      assertThat(second.restarts()).isZero();
      second.cancel();
    }
  }

  @Test
  void bothJobsStartFromOneSavepointAndGiveTheSameResultsSideBySide(Lab lab) {
    try (Stream stream = lab.stream(1)) {
      String plainResults = stream.name + "-plain";
      lab.broker.createTopic(plainResults, 1);
      Map<String, String> options = new TreeMap<>(Stream.bounded("2s"));
      options.put("tidekeeper.default.watermark.max-future-skew", "1h");
      JobSpec ours = stream.job(options, 1);
      JobSpec plain =
          plain(stream, Map.of("plain.results-topic", plainResults), 1).allowingNonRestoredState();

      JobRef before = lab.flink.submit(ours, null);
      stream.send(0, "S1", 1_000);
      stream.send(0, "S1", 13_000);
      awaitResults(stream, "S1@0=1");
      String savepoint = before.stopWithSavepoint(false);

      JobRef oursAgain = lab.flink.submit(ours, savepoint);
      JobRef plainBeside = lab.flink.submit(plain, savepoint);
      stream.sendRaw(0, "{\"station\":");
      stream.send(0, "S1", Instant.now().plus(Duration.ofHours(2)).toEpochMilli());
      stream.send(0, "S1", 14_000);
      stream.send(0, "S1", 23_000);
      awaitResults(stream, "S1@0=1", "S1@10000=2");
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(stream.committedResults(plainResults)).containsExactly("S1@10000=2"));
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(stream.committedDeadLetters()).hasSize(2));
      assertThat(oursAgain.restarts()).isZero();
      assertThat(plainBeside.restarts()).isZero();
      oursAgain.cancel();
      plainBeside.cancel();
    }
  }

  @Test
  void withoutPermissionOurSavepointIsRefusedByAPlainJobRatherThanLosingState(Lab lab) {
    try (Stream stream = lab.stream(1)) {
      JobRef ours = lab.flink.submit(stream.job(Stream.bounded("2s"), 1), null);
      ours.awaitRunning();
      String savepoint = ours.stopWithSavepoint(false);
      JobRef plain = lab.flink.submit(plain(stream, Map.of(), 1), savepoint);
      assertThatThrownBy(plain::awaitRunning).hasMessageContaining("allowNonRestoredState");
    }
  }

  private static void sendToBoth(Stream stream, long time) {
    stream.send(0, "S1", time);
    stream.send(1, "S1", time);
  }

  private static void awaitResults(Stream stream, String... results) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(stream.committedResults()).containsExactlyInAnyOrder(results));
  }

  private static JobSpec plain(Stream stream, Map<String, String> options, int parallelism) {
    Map<String, String> all = new TreeMap<>(stream.job(Map.of(), 1).configuration());
    all.put("plain.results-topic", stream.results());
    all.put("plain.max-out-of-orderness", "2s");
    all.put("plain.max-future-skew", "1 h");
    all.put("pipeline.auto-watermark-interval", "20ms");
    all.putAll(options);
    return JobSpec.ofClass(PlainSubwayJob.class, all, parallelism);
  }
}
