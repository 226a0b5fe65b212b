package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidekeeper.sandbox.flink.JobRef;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A task that is stuck in what is behind its source runs no emit cycles; its metrics go on. */
class StuckOutputIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final double WATERMARK = 99_999 - 2_000;

  @Test
  void lagAndSilenceGrowWhileTheTaskIsStuck(@TempDir Path dir) {
    try (Lab lab = Lab.start(dir);
        Stream stream = lab.stream(1)) {
      StuckJob.GATE.drainPermits();
      StuckJob.GATE.release();
      JobRef job = lab.flink.submit(StuckJob.of(lab.broker, stream, Stream.bounded("2s")), null);
      Gauges gauges = new Gauges(lab.flink, job);
      String split = stream.split(0);
      stream.sendRaw(0, "100000");
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(gauges.split(split, "watermark")).isEqualTo(WATERMARK));

      stream.sendRaw(0, "200000");
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(gauges.split(split, "records")).isEqualTo(2));
      double silent = gauges.split(split, "millisSinceRecord");
      double lag = gauges.split(split, "watermarkLagMillis");
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(gauges.split(split, "millisSinceRecord")).isGreaterThan(silent + 3_000);
                assertThat(gauges.split(split, "watermarkLagMillis")).isGreaterThan(lag + 3_000);
              });
      assertThat(gauges.split(split, "watermark")).as("it is stuck").isEqualTo(WATERMARK);
      assertThat(gauges.split(split, "records")).isEqualTo(2);

      StuckJob.GATE.release();
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(gauges.split(split, "watermark")).isEqualTo(WATERMARK + 100_000));
      job.cancel();
    }
  }
}
