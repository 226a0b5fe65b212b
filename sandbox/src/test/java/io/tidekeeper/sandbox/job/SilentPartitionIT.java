package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidekeeper.sandbox.flink.JobRef;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A partition that never speaks stops event time, unless there is an idle timeout. */
@ExtendWith(Lab.PerClass.class)
class SilentPartitionIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final double ACTIVE = 0;
  private static final double IDLE = 1;

  @Test
  void withAnIdleTimeoutResultsFlowAndThePartitionShowsAsIdle(Lab lab) {
    try (Stream stream = lab.stream(2)) {
      Map<String, String> options = new TreeMap<>(Stream.bounded("2s"));
      options.put("tidekeeper.default.watermark.idle-timeout", "500ms");
      JobRef job = lab.flink.submit(stream.job(options, 1), null);
      sendToPartitionZero(stream);

      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(stream.committedResults()).containsExactly("S1@0=2"));
      Gauges gauges = new Gauges(lab.flink, job);
      assertThat(gauges.split(stream.split(1), "state")).isEqualTo(IDLE);
      assertThat(gauges.split(stream.split(1), "records")).isZero();
      assertThat(gauges.split(stream.split(1), "watermarkLagMillis")).isEqualTo(-1);
      assertThat(gauges.split(stream.split(1), "millisSinceRecord"))
          .as("at least its idle timeout")
          .isGreaterThanOrEqualTo(500);
      double silent = gauges.split(stream.split(0), "millisSinceRecord");
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(gauges.split(stream.split(0), "millisSinceRecord"))
                      .isGreaterThan(silent + 500));
      assertThat(gauges.split(stream.split(0), "state")).isEqualTo(IDLE);
      long now = System.currentTimeMillis();
      assertThat(gauges.split(stream.split(0), "watermarkLagMillis"))
          .isGreaterThanOrEqualTo(now - 10_999.0);
      stream.send(0, "S1", 13_000);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(gauges.split(stream.split(0), "millisSinceRecord"))
                      .isLessThan(silent + 500));
      assertThat(gauges.split(stream.split(0), "watermark")).isEqualTo(10_999);
      job.cancel();
    }
  }

  @Test
  void withoutAnIdleTimeoutNothingIsEmittedUntilItSpeaks(Lab lab) {
    try (Stream stream = lab.stream(2)) {
      JobRef job = lab.flink.submit(stream.job(Stream.bounded("2s"), 1), null);
      sendToPartitionZero(stream);

      // The other partition is through the window; its watermark shows who is not.
      Gauges gauges = new Gauges(lab.flink, job);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(gauges.split(stream.split(0), "watermark")).isEqualTo(10_999));
      long checkpoints = job.completedCheckpoints();
      await().atMost(PATIENCE).until(() -> job.completedCheckpoints() > checkpoints + 2);
      assertThat(stream.committedResults()).isEmpty();
      assertThat(gauges.split(stream.split(1), "state")).isEqualTo(ACTIVE);
      assertThat(gauges.split(stream.split(1), "watermark")).isEqualTo(Gauges.NO_WATERMARK);
      assertThat(gauges.subtasks("count per station", "currentInputWatermark"))
          .isEqualTo(Map.of(0, Gauges.NO_WATERMARK));

      stream.send(1, "S2", 13_000);
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(stream.committedResults()).containsExactly("S1@0=2"));
      job.cancel();
    }
  }

  private static void sendToPartitionZero(Stream stream) {
    stream.send(0, "S1", 1_000);
    stream.send(0, "S1", 9_000);
    stream.send(0, "S1", 13_000);
  }
}
