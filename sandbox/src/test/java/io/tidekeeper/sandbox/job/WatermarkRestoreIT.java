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

/** A savepoint keeps the watermark with us, and loses it without. */
class WatermarkRestoreIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static Lab lab;

  @BeforeAll
  static void start(@TempDir Path dir) {
    lab = Lab.start(dir);
  }

  @AfterAll
  static void stop() {
    lab.close();
  }

  @Test
  void aRecordThatWasLateBeforeTheSavepointIsLateAfterIt() {
    try (Stream stream = lab.stream(1)) {
      lateRecordAfterRestore(stream, true);
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(stream.committedLate()).hasSize(1));
      assertThat(stream.committedResults()).containsExactly("S1@0=2", "S1@10000=1");
      assertThat(Stream.header(stream.committedLate().get(0), "tidekeeper.reason"))
          .isEqualTo("late");
    }
  }

  @Test
  void withoutWatermarkRestoreItOpensAWindowThatHasFiredAndTheResultComesTwice() {
    try (Stream stream = lab.stream(1)) {
      lateRecordAfterRestore(stream, false);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(stream.committedResults())
                      .containsExactly("S1@0=2", "S1@0=1", "S1@10000=1"));
      assertThat(stream.committedLate()).isEmpty();
    }
  }

  /** Fires the window [0, 10 s), takes a savepoint, sends a record into it, fires [10 s, 20 s). */
  private static void lateRecordAfterRestore(Stream stream, boolean watermarkRestore) {
    Map<String, String> options = new TreeMap<>(Stream.bounded("2s"));
    options.put("tidekeeper.watermark-restore", String.valueOf(watermarkRestore));
    JobSpec spec = stream.job(options, 1);

    JobRef job = lab.flink.submit(spec, null);
    stream.send(0, "S1", 1_000);
    stream.send(0, "S1", 9_000);
    stream.send(0, "S1", 13_000);
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(stream.committedResults()).containsExactly("S1@0=2"));
    String savepoint = job.stopWithSavepoint(false);

    JobRef restored = lab.flink.submit(spec, savepoint);
    stream.send(0, "S1", 5_000);
    stream.send(0, "S1", 30_000);
    restored.awaitRunning();
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(stream.committedResults()).contains("S1@10000=1"));
    restored.cancel();
  }
}
