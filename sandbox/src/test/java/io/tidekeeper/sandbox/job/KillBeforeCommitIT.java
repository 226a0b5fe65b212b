package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidekeeper.sandbox.flink.JobRef;
import io.tidekeeper.sandbox.flink.JobSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results appear exactly once, wherever between savepoint and commit the job is killed. */
class KillBeforeCommitIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static Lab lab;

  @BeforeAll
  static void start(@TempDir Path dir) {
    lab = Lab.start(dir, 2, 4);
  }

  @AfterAll
  static void stop() {
    lab.close();
  }

  @Test
  void resultsPreCommittedInASavepointAreCommittedByTheRestore() {
    try (Stream stream = lab.stream(1)) {
      Map<String, String> options = new TreeMap<>(Stream.bounded("2s"));
      // No checkpoint comes in between: only its completion would commit.
      options.put("execution.checkpointing.interval", "1h");
      JobRef job = lab.flink.submit(stream.job(options, 1), null);
      stream.send(0, "S1", 1_000);
      stream.send(0, "S1", 9_000);
      stream.send(0, "S1", 13_000);
      Gauges gauges = new Gauges(lab.flink, job);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(gauges.subtasks("results sink: Writer", "numRecordsSend"))
                      .isEqualTo(Map.of(0, 1.0)));
      // Flink tells nobody of an intermediate savepoint's completion, so its transaction stays
      // open.
      String savepoint = job.triggerSavepoint();
      job.cancel();
      assertThat(stream.committedResults()).isEmpty();

      options.put("execution.checkpointing.interval", "500ms");
      JobRef restored = lab.flink.submit(stream.job(options, 2), savepoint);
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(stream.committedResults()).containsExactly("S1@0=2"));
      stream.send(0, "S1", 30_000);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(stream.committedResults())
                      .containsExactlyInAnyOrder("S1@0=2", "S1@10000=1"));
      restored.cancel();
    }
  }

  @Test
  void killedTaskManagersUnderLoadNeitherLoseNorDoubleAnything() {
    try (Stream stream = lab.stream(2)) {
      Map<String, String> options = new TreeMap<>(Stream.bounded("2s"));
      options.put("execution.checkpointing.interval", "200ms");
      options.put("restart-strategy.type", "fixed-delay");
      options.put("restart-strategy.fixed-delay.attempts", "1000");
      options.put("restart-strategy.fixed-delay.delay", "100ms");
      JobSpec spec = stream.job(options, 2);
      JobRef job = lab.flink.submit(spec, null);
      Load load = new Load(stream);
      load.steadily(() -> killOneAfterTheOther(job), 0, 1);
      load.closeWindows(2);
      await().atMost(PATIENCE).untilAsserted(() -> load.assertExact(1));
      assertThat(job.restarts()).isGreaterThan(0);
      job.cancel();
    }
  }

  /** Kills four task managers, each in the middle of the work; each is replaced at once. */
  private static void killOneAfterTheOther(JobRef job) {
    for (int taskManager = 0; taskManager < 4; taskManager++) {
      long checkpoints = job.completedCheckpoints();
      await().atMost(PATIENCE).until(() -> job.completedCheckpoints() > checkpoints + 2);
      lab.flink.killTaskManager(taskManager);
      lab.flink.startTaskManager();
    }
  }
}
