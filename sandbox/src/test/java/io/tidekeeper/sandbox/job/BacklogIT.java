package io.tidekeeper.sandbox.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidekeeper.sandbox.flink.JobRef;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the JobManager says a partition still holds, and when it says that it does not know. */
class BacklogIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final double IDLE = 1;
  private static final double UNKNOWN = -1;

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
  void marksOfTransactionsAreNoBacklogAndAnOpenTransactionIsOneThatHoldsNothingBack()
      throws Exception {
    try (Stream stream = lab.stream(2);
        KafkaProducer<byte[], byte[]> producer = transactional(stream)) {
      Gauges gauges = new Gauges(lab.flink, submit(stream));
      producer.beginTransaction();
      for (long time : new long[] {1_000, 2_000, 3_000}) {
        send(producer, stream, time);
      }
      producer.commitTransaction();
      stream.send(0, "S1", 1_000);
      stream.send(0, "S1", 13_000);

      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(gauges.split(stream.split(1), "records")).isEqualTo(3);
                assertThat(gauges.enumeratorSplit(stream.split(1), "backlog")).isZero();
                assertThat(gauges.split(stream.split(1), "state")).isEqualTo(IDLE);
              });
      assertThat(endOffset(stream)).as("with the mark of the transaction").isEqualTo(4);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(stream.committedResults())
                      .containsExactlyInAnyOrder("S1@0=1", "S2@0=3"));

      producer.beginTransaction();
      send(producer, stream, 14_000);
      send(producer, stream, 15_000);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(gauges.enumeratorSplit(stream.split(1), "backlog")).isEqualTo(2));
      stream.send(0, "S1", 23_000);
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(stream.committedResults()).contains("S1@10000=1"));
      assertThat(gauges.split(stream.split(1), "state")).isEqualTo(IDLE);
      producer.abortTransaction();
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(endOffset(stream)).isEqualTo(7);
                assertThat(gauges.enumeratorSplit(stream.split(1), "backlog")).isZero();
              });
      assertThat(gauges.split(stream.split(1), "records")).isEqualTo(3);
      assertThat(gauges.split(stream.split(1), "state")).isEqualTo(IDLE);

      producer.beginTransaction();
      send(producer, stream, 24_000);
      producer.commitTransaction();
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(gauges.split(stream.split(1), "records")).isEqualTo(4));
      gauges.job().cancel();
    }
  }

  @Test
  void whileTheBrokerIsAwayTheBacklogIsUnknownAndTheLogSaysSoOnce() {
    try (Logged log = new Logged("io.tidekeeper.job.backlog.BacklogPoll");
        Stream stream = lab.stream(2)) {
      Gauges gauges = new Gauges(lab.flink, submit(stream));
      stream.send(0, "S1", 1_000);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(gauges.split(stream.split(0), "records")).isEqualTo(1);
                assertThat(gauges.enumeratorSplit(stream.split(0), "backlog")).isZero();
                assertThat(gauges.enumeratorSplit(stream.split(1), "backlog")).isZero();
              });
      lab.broker.stop();
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(gauges.enumeratorSplit(stream.split(0), "backlog")).isEqualTo(UNKNOWN);
                assertThat(gauges.enumeratorSplit(stream.split(1), "backlog")).isEqualTo(UNKNOWN);
              });
      lab.broker.restart();
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(gauges.enumeratorSplit(stream.split(0), "backlog")).isZero();
                assertThat(gauges.enumeratorSplit(stream.split(1), "backlog")).isZero();
              });
      assertThat(log.lines()).filteredOn(line -> line.startsWith("WARN")).hasSize(1);
      assertThat(log.lines()).anyMatch(line -> line.contains("is known again"));
      gauges.job().cancel();
    }
  }

  private static JobRef submit(Stream stream) {
    Map<String, String> options = new TreeMap<>(Stream.bounded("2s"));
    options.put("tidekeeper.default.watermark.idle-timeout", "1s");
    return lab.flink.submit(stream.job(options, 1), null);
  }

  private static KafkaProducer<byte[], byte[]> transactional(Stream stream) {
    KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                lab.broker.bootstrapServers(),
                "transactional.id",
                stream.name + "-producer"),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    producer.initTransactions();
    return producer;
  }

  private static void send(KafkaProducer<byte[], byte[]> producer, Stream stream, long time)
      throws Exception {
    String trip =
        "{\"id\":%d,\"station\":\"S2\",\"passengers\":1,\"time\":%d}".formatted(time, time);
    producer
        .send(new ProducerRecord<>(stream.input(), 1, null, trip.getBytes(UTF_8)))
        .get(1, TimeUnit.MINUTES);
  }

  private static long endOffset(Stream stream) throws Exception {
    TopicPartition partition = new TopicPartition(stream.input(), 1);
    try (Admin admin = lab.broker.admin()) {
      return admin
          .listOffsets(Map.of(partition, OffsetSpec.latest()))
          .partitionResult(partition)
          .get(1, TimeUnit.MINUTES)
          .offset();
    }
  }
}
