package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidekeeper.sandbox.flink.JobRef;
import io.tidekeeper.sandbox.flink.JobSpec;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a savepoint does not bring back, on plain Flink and here. */
class RestoreFaultsIT {

  private static Lab lab;

  @BeforeAll
  static void start(@TempDir Path dir) {
    lab = Lab.start(dir);
  }

  @AfterAll
  static void stop() {
    lab.close();
  }

  /** Field reports 5 and 6. */
  @Test
  void theWatermarkIsMissingAfterARestoreAndWindowsFireTwice() {
    try (Stream stream = lab.stream(1)) {
      JobSpec ourSpec = stream.job(Stream.bounded("2s"), 1);
      JobSpec plainSpec = stream.plainJob(Map.of("plain.max-out-of-orderness", "2s"), 1);
      JobRef ours = lab.flink.submit(ourSpec, null);
      JobRef plain = lab.flink.submit(plainSpec, null);
      stream.send(0, "S1", 1_000);
      stream.send(0, "S1", 9_000);
      stream.send(0, "S1", 13_000);
      await()
          .atMost(TwoJobs.PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(stream.committedResults()).containsExactly("S1@0=2");
                assertThat(stream.committedResults(stream.plainResults()))
                    .containsExactly("S1@0=2");
              });

      JobRef oursRestored = lab.flink.submit(ourSpec, ours.stopWithSavepoint(false));
      JobRef plainRestored = lab.flink.submit(plainSpec, plain.stopWithSavepoint(false));
      oursRestored.awaitRunning();
      plainRestored.awaitRunning();
      // No record has come yet: what is there is what the savepoint brought.
      await()
          .atMost(TwoJobs.PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(TwoJobs.windowWatermark(new Gauges(lab.flink, oursRestored)))
                    .isEqualTo(10_999);
                assertThat(TwoJobs.windowWatermark(new Gauges(lab.flink, plainRestored)))
                    .isEqualTo(Gauges.NO_WATERMARK);
              });

      stream.send(0, "S1", 5_000);
      stream.send(0, "S1", 30_000);
      await()
          .atMost(TwoJobs.PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(stream.committedResults(stream.plainResults()))
                      .containsExactlyInAnyOrder("S1@0=2", "S1@0=1", "S1@10000=1"));
      await()
          .atMost(TwoJobs.PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(stream.committedResults())
                      .containsExactlyInAnyOrder("S1@0=2", "S1@10000=1"));
      await()
          .atMost(TwoJobs.PATIENCE)
          .untilAsserted(() -> assertThat(stream.committedLate()).hasSize(1));
      assertThat(
              new Gauges(lab.flink, oursRestored)
                  .subtasks("watermark-restore", "tidekeeper_restoredWatermark"))
          .isEqualTo(new TreeMap<>(Map.of(0, 10_999.0)));
      oursRestored.cancel();
      plainRestored.cancel();
    }
  }
}
