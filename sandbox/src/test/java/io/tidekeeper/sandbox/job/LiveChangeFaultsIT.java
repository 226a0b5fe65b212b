package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidekeeper.sandbox.flink.JobRef;
import io.tidekeeper.sandbox.subway.PolicyFileOnDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One subtask of a source is away while the policy changes; the others, and the enumerator, run.
 */
class LiveChangeFaultsIT {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String SOURCE = "Source: apart";
  private static final double BROKEN = 3;

  private static Lab lab;

  @BeforeAll
  static void start(@TempDir Path dir) {
    lab = Lab.start(dir, 1, 2);
  }

  @AfterAll
  static void stop() {
    lab.close();
  }

  @Test
  void aSubtaskThatIsNotReadyHoldsUpNoRevisionAndStartsOnTheNewest(@TempDir Path dir) {
    PolicyFileOnDisk file = new PolicyFileOnDisk(dir.resolve("policy"));
    Map<String, String> options = new TreeMap<>(Stream.bounded("2s"));
    options.put("tidekeeper.revision", "10");
    options.putAll(file.options());
    options.put("execution.checkpointing.interval", "200ms");
    options.put("restart-strategy.type", "fixed-delay");
    options.put("restart-strategy.fixed-delay.attempts", "1");
    options.put("restart-strategy.fixed-delay.delay", "100ms");
    try (Stream stream = lab.stream(2)) {
      JobRef job = lab.flink.submit(SubtasksApartJob.of(lab.broker, stream, options, 2), null);
      Gauges gauges = new Gauges(lab.flink, job);
      stream.sendRaw(0, "100000");
      stream.sendRaw(0, "101000");
      stream.sendRaw(1, "100000");
      awaitRevisions(gauges, Map.of(0, 10.0, 1, 10.0));
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(gauges.split(stream.split(0), "records")).isEqualTo(2);
                assertThat(gauges.split(stream.split(1), "records")).isEqualTo(1);
              });
      long checkpoints = job.completedCheckpoints();
      await().atMost(PATIENCE).until(() -> job.completedCheckpoints() > checkpoints + 1);

      stream.sendRaw(1, Long.toString(SubtasksApartJob.POISON));
      await().atMost(PATIENCE).until(SubtasksApartJob::holdsOne);
      int away = SubtasksApartJob.failedSubtask();
      int there = 1 - away;
      file.write(11, Stream.bounded("3s"));
      awaitRevisions(gauges, Map.of(away, 10.0, there, 11.0));
      file.write(12, Stream.bounded("4s"));
      awaitRevisions(gauges, Map.of(away, 10.0, there, 12.0));
      file.write("tidekeeper.revision: 13\ntidekeeper.default.watermark.type: Fast\n");
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(gauges.enumerator("fileState")).isEqualTo(BROKEN));
      assertThat(gauges.enumerator("revision")).isEqualTo(12);
      assertThat(job.isRunning()).as("all tasks run").isFalse();

      SubtasksApartJob.letGo();
      job.awaitRunning(PATIENCE);
      awaitRevisions(gauges, Map.of(0, 12.0, 1, 12.0));
      file.write(14, Stream.bounded("5s"));
      awaitRevisions(gauges, Map.of(0, 14.0, 1, 14.0));
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(gauges.splits("outOfOrderness"))
                      .isEqualTo(Map.of(stream.split(0), 5_000.0, stream.split(1), 5_000.0)));
      assertThat(gauges.split(stream.split(1), "records"))
          .as("the poison came again after the checkpoint, and nothing else did")
          .isEqualTo(1);
      assertThat(gauges.split(stream.split(0), "records"))
          .as("what the other subtask had read, which has never stopped")
          .isEqualTo(2);
      assertThat(gauges.subtasks(SOURCE, "tidekeeper_missedAnswers").values()).containsOnly(0.0);
      assertThat(gauges.enumerator("undeliveredAnswers")).isZero();
      assertThat(job.restarts()).isEqualTo(1);
      job.cancel();
    }
  }

  private static void awaitRevisions(Gauges gauges, Map<Integer, Double> bySubtask) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(gauges.subtasks(SOURCE, "tidekeeper_revision")).isEqualTo(bySubtask));
  }
}
