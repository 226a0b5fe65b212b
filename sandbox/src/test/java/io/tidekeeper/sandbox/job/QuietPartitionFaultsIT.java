package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidekeeper.sandbox.flink.SubmissionException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a partition that does not speak does to a job, on plain Flink and here. */
class QuietPartitionFaultsIT {

  private static final double IDLE = 1;
  private static final Map<String, String> IDLE_TIMEOUT =
      Map.of("tidekeeper.default.watermark.idle-timeout", "500ms");

  private static Lab lab;

  @BeforeAll
  static void start(@TempDir Path dir) {
    lab = Lab.start(dir);
  }

  @AfterAll
  static void stop() {
    lab.close();
  }

  /** Field report 7. */
  @Test
  void oneQuietPartitionPinsTheWholeJob() {
    try (Stream stream = lab.stream(2);
        TwoJobs jobs = TwoJobs.start(lab, stream, 1, IDLE_TIMEOUT, Map.of())) {
      sendToPartitionZero(stream);
      jobs.awaitPlainRead(3);
      assertThat(jobs.plainResults()).isEmpty();
      assertThat(TwoJobs.windowWatermark(jobs.plain)).isEqualTo(Gauges.NO_WATERMARK);

      jobs.awaitOurs("S1@0=2");
      // The metric names the culprit.
      assertThat(jobs.ours.split(stream.split(1), "state")).isEqualTo(IDLE);
      assertThat(jobs.ours.splits("records"))
          .isEqualTo(Map.of(stream.split(0), 3.0, stream.split(1), 0.0));
    }
  }

  /** Field report 8. */
  @Test
  void noOutputAtParallelismThreeWithOnePartition() {
    try (Logged log = new Logged("io.tidekeeper.job.pipeline.KafkaCheck");
        Stream stream = lab.stream(1);
        TwoJobs jobs = TwoJobs.start(lab, stream, 3, IDLE_TIMEOUT, Map.of())) {
      sendToPartitionZero(stream);
      jobs.awaitPlainRead(3);
      assertThat(jobs.plainResults()).isEmpty();

      jobs.awaitOurs("S1@0=2");
      assertThat(log.lines())
          .anySatisfy(
              line ->
                  assertThat(line)
                      .startsWith("WARN")
                      .contains(stream.input(), "parallelism is 3", "2 source subtasks"));
    }
  }

  /** Field report 3. */
  @Test
  void theJobHangsForEverWithAlignmentOn() {
    Map<String, String> alignment =
        Map.of(
            "tidekeeper.default.alignment.group", "trips",
            "tidekeeper.default.alignment.max-drift", "60s",
            "tidekeeper.default.alignment.update-interval", "100ms");
    Map<String, String> withTimeout = new TreeMap<>(alignment);
    withTimeout.putAll(IDLE_TIMEOUT);
    try (Stream stream = lab.stream(2);
        TwoJobs jobs =
            TwoJobs.start(lab, stream, 1, withTimeout, Map.of("plain.max-drift", "60s"))) {
      sendToPartitionZero(stream);
      jobs.awaitPlainRead(3);
      assertThat(jobs.plainResults()).isEmpty();

      jobs.awaitOurs("S1@0=2");
      Map<String, String> withoutTimeout = new TreeMap<>(Stream.bounded("2s"));
      withoutTimeout.putAll(alignment);
      assertThatThrownBy(() -> lab.flink.submit(stream.job(withoutTimeout, 1), null))
          .isInstanceOf(SubmissionException.class)
          .hasMessageContaining("alignment that pauses needs an idle timeout");
    }
  }

  /** Field report 14. */
  @Test
  void anIdlePartitionResumesAndItsRecordsAreAllLate() {
    try (Stream stream = lab.stream(2);
        TwoJobs jobs =
            TwoJobs.start(lab, stream, 1, IDLE_TIMEOUT, Map.of("plain.idle-timeout", "500ms"))) {
      sendToPartitionZero(stream);
      jobs.awaitOurs("S1@0=2");
      jobs.awaitPlain("S1@0=2");
      for (int second = 1; second <= 5; second++) {
        stream.send(1, "S2", second * 1_000L);
      }
      await()
          .atMost(TwoJobs.PATIENCE)
          .untilAsserted(() -> assertThat(jobs.plainDropped()).isEqualTo(5));
      assertThat(jobs.plainResults()).containsExactly("S1@0=2");

      await()
          .atMost(TwoJobs.PATIENCE)
          .untilAsserted(() -> assertThat(stream.committedLate()).hasSize(5));
      assertThat(stream.committedLate())
          .extracting(record -> Stream.header(record, "tidekeeper.partition"))
          .containsOnly("1");
      assertThat(jobs.ours.splits("lateRecords"))
          .isEqualTo(Map.of(stream.split(0), 0.0, stream.split(1), 5.0));
    }
  }

  private static void sendToPartitionZero(Stream stream) {
    stream.send(0, "S1", 1_000);
    stream.send(0, "S1", 9_000);
    stream.send(0, "S1", 13_000);
  }
}
