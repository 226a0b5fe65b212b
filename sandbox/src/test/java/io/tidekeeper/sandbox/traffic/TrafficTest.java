package io.tidekeeper.sandbox.traffic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tidekeeper.sandbox.kafka.KafkaBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrafficTest {
  private static final Behaviour LEVEL = Behaviour.level(Disorder.upTo(Duration.ofSeconds(2)));

  @Test
  void theTruthIsWhatKafkaHolds(@TempDir Path dir) {
    TrafficPlan plan =
        new TrafficPlan(
            1,
            Instant.parse("2024-05-15T00:00:00Z"),
            5,
            2,
            3,
            List.of(
                new Phase("first", Duration.ofSeconds(1), 500, LEVEL),
                new Phase(
                    "second", Duration.ofSeconds(1), 500, LEVEL, Map.of(1, Behaviour.silent()))),
            0.05,
            4);
    try (KafkaBroker broker = KafkaBroker.start(dir.resolve("kafka"))) {
      broker.createTopic("trips", 2);
      try (Traffic traffic = Traffic.start(broker.bootstrapServers(), "trips", plan)) {
        traffic.awaitPhase("second");
        assertThat(traffic.progress().sent()).isBetween(450L, 1_000L);
        traffic.awaitEnd();
        assertThat(traffic.progress().ended()).isTrue();
        assertThat(traffic.progress().sent()).isEqualTo(plan.records());
        traffic.sendClosing();

        List<Sent> truth = traffic.truth();
        assertThat(truth).hasSize(1_000 + 6);
        assertThat(truth.stream().filter(sent -> sent.kind() == Kind.FUTURE)).hasSize(4);
        Map<String, ConsumerRecord<byte[], byte[]>> stored = read(broker, "trips", 2);
        assertThat(stored).hasSameSizeAs(truth);
        for (Sent sent : truth) {
          ConsumerRecord<byte[], byte[]> record =
              requireNonNull(stored.get(sent.partition() + "@" + sent.offset()));
          assertThat(new String(record.key(), UTF_8)).isEqualTo(sent.station());
          assertThat(new String(record.value(), UTF_8)).contains("\"id\":" + sent.id());
        }

        Path file = dir.resolve("out").resolve("truth.jsonl");
        Truth.write(file, truth);
        assertThat(Truth.read(file)).isEqualTo(truth);
      }
    }
  }

  @Test
  void thePaceIsTheStatedOne(@TempDir Path dir) {
    TrafficPlan plan =
        TrafficPlan.steady(
            2, 2, 1_000, Duration.ofHours(1), Disorder.upTo(Duration.ofSeconds(1)), Set.of(1));
    try (KafkaBroker broker = KafkaBroker.start(dir)) {
      broker.createTopic("trips", 2);
      try (Traffic traffic = Traffic.start(broker.bootstrapServers(), "trips", plan)) {
        traffic.awaitSent(100);
        long start = System.nanoTime();
        long before = traffic.progress().sent();
        Duration stalledBefore = traffic.progress().stalled();
        traffic.awaitSent(before + 2_000);
        double seconds =
            (System.nanoTime() - start) / 1e9
                - traffic.progress().stalled().minus(stalledBefore).toMillis() / 1e3;
        assertThat(seconds).isCloseTo(2, within(0.5));

        traffic.stop();
        traffic.sendClosing();
        assertThat(traffic.truth()).anyMatch(sent -> sent.kind() == Kind.CLOSING);
        assertThat(traffic.truth())
            .noneMatch(sent -> sent.partition() == 1 && sent.kind() != Kind.CLOSING);
      }
    }
  }

  @Test
  void anOutageOfTheBrokerLosesAndDoublesNothing(@TempDir Path dir) {
    TrafficPlan plan =
        TrafficPlan.steady(4, 2, 500, Duration.ofSeconds(3), Disorder.NONE, Set.of());
    try (KafkaBroker broker = KafkaBroker.start(dir)) {
      broker.createTopic("trips", 2);
      try (Traffic traffic = Traffic.start(broker.bootstrapServers(), "trips", plan)) {
        traffic.awaitSent(300);
        broker.stop();
        broker.restart();
        traffic.awaitEnd();

        List<Sent> truth = traffic.truth();
        assertThat(truth).hasSize(1_500);
        Map<String, ConsumerRecord<byte[], byte[]>> stored = read(broker, "trips", 2);
        assertThat(stored).hasSameSizeAs(truth);
        assertThat(truth)
            .allMatch(sent -> stored.containsKey(sent.partition() + "@" + sent.offset()));
      }
    }
  }

  @Test
  void aTopicWithOtherPartitionsIsRefused(@TempDir Path dir) {
    try (KafkaBroker broker = KafkaBroker.start(dir)) {
      broker.createTopic("trips", 1);
      TrafficPlan plan =
          TrafficPlan.steady(3, 2, 100, Duration.ofMinutes(1), Disorder.NONE, Set.of());

      assertThatThrownBy(() -> Traffic.start(broker.bootstrapServers(), "trips", plan))
          .hasMessage("topic 'trips' has 1 partitions, the plan has 2");
    }
  }

  @Test
  void aPhaseThatIsNotPlannedIsRefused(@TempDir Path dir) {
    try (KafkaBroker broker = KafkaBroker.start(dir)) {
      broker.createTopic("trips", 1);
      TrafficPlan plan =
          TrafficPlan.steady(3, 1, 100, Duration.ofMinutes(1), Disorder.NONE, Set.of());
      try (Traffic traffic = Traffic.start(broker.bootstrapServers(), "trips", plan)) {
        assertThatThrownBy(() -> traffic.awaitPhase("rush"))
            .hasMessage("there is no phase 'rush', only [steady]");
        traffic.stop();
        assertThatThrownBy(() -> traffic.awaitSent(1_000_000))
            .hasMessageContaining("has ended without 1000000 records sent");
      }
    }
  }

  private static Map<String, ConsumerRecord<byte[], byte[]>> read(
      KafkaBroker broker, String topic, int partitions) {
    Map<String, ConsumerRecord<byte[], byte[]>> records = new HashMap<>();
    Map<String, Object> settings =
        Map.of("bootstrap.servers", broker.bootstrapServers(), "auto.offset.reset", "earliest");
    try (var consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      for (int partition = 0; partition < partitions; partition++) {
        TopicPartition from = new TopicPartition(topic, partition);
        consumer.assign(List.of(from));
        long end = requireNonNull(consumer.endOffsets(List.of(from)).get(from));
        while (consumer.position(from) < end) {
          consumer
              .poll(Duration.ofSeconds(1))
              .forEach(record -> records.put(record.partition() + "@" + record.offset(), record));
        }
      }
    }
    return records;
  }
}
