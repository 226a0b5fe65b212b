package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one record with an unfortunate time does, on plain Flink and here. */
class RecordFaultsIT {

  private static Lab lab;

  @BeforeAll
  static void start(@TempDir Path dir) {
    lab = Lab.start(dir);
  }

  @AfterAll
  static void stop() {
    lab.close();
  }

  /** Field report 9. */
  @Test
  void everythingIsLateAfterOneRecordFromTheFuture() {
    long now = Instant.now().toEpochMilli();
    long start = now - now % 10_000 - Duration.ofHours(1).toMillis();
    try (Stream stream = lab.stream(1);
        TwoJobs jobs =
            TwoJobs.start(
                lab,
                stream,
                1,
                Map.of("tidekeeper.default.watermark.max-future-skew", "5m"),
                Map.of())) {
      stream.send(0, "S1", start + 1_000);
      stream.send(0, "S1", now + Duration.ofHours(2).toMillis());
      // The watermark has to pass before what follows can be late.
      jobs.awaitPlain("S1@" + start + "=1");
      stream.send(0, "S1", start + 2_000);
      stream.send(0, "S1", start + 3_000);
      stream.send(0, "S1", start + 13_000);

      await()
          .atMost(TwoJobs.PATIENCE)
          .untilAsserted(() -> assertThat(jobs.plainDropped()).isEqualTo(3));
      assertThat(jobs.plainResults()).containsExactly("S1@" + start + "=1");

      jobs.awaitOurs("S1@" + start + "=3");
      assertThat(jobs.ours.split(stream.split(0), "futureRecords")).isEqualTo(1);
      assertThat(jobs.ours.split(stream.split(0), "lateRecords")).isZero();
      assertThat(stream.committedDeadLetters())
          .extracting(record -> Stream.header(record, "tidekeeper.reason"))
          .containsExactly("future");
    }
  }

  /** Field report 12. */
  @Test
  void lateRecordsAreDroppedWithoutATrace() {
    try (Stream stream = lab.stream(2);
        TwoJobs jobs = TwoJobs.start(lab, stream, 1, Map.of(), Map.of())) {
      stream.send(0, "S1", 1_000);
      stream.send(0, "S1", 13_000);
      stream.send(1, "S1", 13_000);
      jobs.awaitOurs("S1@0=1");
      jobs.awaitPlain("S1@0=1");
      stream.send(1, "S1", 4_000);

      await()
          .atMost(TwoJobs.PATIENCE)
          .untilAsserted(() -> assertThat(jobs.plainDropped()).isEqualTo(1));
      assertThat(jobs.plainResults()).containsExactly("S1@0=1");

      await()
          .atMost(TwoJobs.PATIENCE)
          .untilAsserted(() -> assertThat(stream.committedLate()).hasSize(1));
      ConsumerRecord<byte[], byte[]> late = stream.committedLate().get(0);
      assertThat(Stream.header(late, "tidekeeper.topic")).isEqualTo(stream.input());
      assertThat(Stream.header(late, "tidekeeper.partition")).isEqualTo("1");
      assertThat(Stream.header(late, "tidekeeper.offset")).isEqualTo("1");
      assertThat(Stream.header(late, "tidekeeper.lateness-ms")).isEqualTo("9000");
      assertThat(jobs.ours.splits("lateRecords"))
          .isEqualTo(Map.of(stream.split(0), 0.0, stream.split(1), 1.0));
    }
  }
}
