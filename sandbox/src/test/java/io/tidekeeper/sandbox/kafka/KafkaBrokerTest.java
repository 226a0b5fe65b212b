package io.tidekeeper.sandbox.kafka;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidekeeper.sandbox.LocalPorts;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaBrokerTest {
  @Test
  void keepsRecordsAndPortOverARestart(@TempDir Path dir) throws Exception {
    try (KafkaBroker broker = KafkaBroker.start(dir)) {
      broker.createTopic("trips", 2);
      send(broker, "trips", "one");
      assertThat(read(broker, "trips")).containsExactly("one");

      String before = broker.bootstrapServers();
      broker.stop();
      assertThat(broker.isRunning()).isFalse();
      assertThat(LocalPorts.isFree(broker.port())).isTrue();
      broker.restart();

      assertThat(broker.bootstrapServers()).isEqualTo(before).startsWith("127.0.0.1:");
      send(broker, "trips", "two");
      assertThat(read(broker, "trips")).containsExactly("one", "two");
    }
  }

  @Test
  void twoBrokersLiveSideBySide(@TempDir Path dir) throws Exception {
    try (KafkaBroker left = KafkaBroker.start(dir.resolve("left"));
        KafkaBroker right = KafkaBroker.start(dir.resolve("right"))) {
      left.createTopic("trips", 1);
      right.createTopic("trips", 1);
      send(left, "trips", "left");
      send(right, "trips", "right");

      assertThat(read(left, "trips")).containsExactly("left");
      right.stop();
      send(left, "trips", "still here");
      assertThat(read(left, "trips")).containsExactly("left", "still here");
    }
  }

  @Test
  void aPortInUseIsNamed(@TempDir Path dir) throws Exception {
    try (ServerSocket taken = new ServerSocket()) {
      taken.bind(new InetSocketAddress(LocalPorts.loopback(), 0));
      int port = taken.getLocalPort();

      assertThatThrownBy(() -> KafkaBroker.in(dir).port(port).start())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("port %d on 127.0.0.1 is in use", port);
    }
  }

  @Test
  void settingsReachTheBroker(@TempDir Path dir) throws Exception {
    try (KafkaBroker broker =
            KafkaBroker.in(dir).setting("transaction.max.timeout.ms", "60000").start();
        var admin = broker.admin()) {
      ConfigResource self = new ConfigResource(ConfigResource.Type.BROKER, "1");
      Config config = requireNonNull(admin.describeConfigs(List.of(self)).all().get().get(self));

      assertThat(config.get("transaction.max.timeout.ms").value()).isEqualTo("60000");
      assertThat(config.get("auto.create.topics.enable").value()).isEqualTo("false");
    }
  }

  @Test
  void aTopicThatExistsIsRefused(@TempDir Path dir) {
    try (KafkaBroker broker = KafkaBroker.start(dir)) {
      broker.createTopic("trips", 1, Map.of("cleanup.policy", "compact"));

      assertThatThrownBy(() -> broker.createTopic("trips", 1))
          .hasMessage("topic 'trips' exists already");
    }
  }

  @Test
  void aRunningBrokerIsNotStartedTwice(@TempDir Path dir) {
    try (KafkaBroker broker = KafkaBroker.start(dir)) {
      assertThatThrownBy(broker::restart).hasMessageContaining("is running");
    }
  }

  private static void send(KafkaBroker broker, String topic, String value) throws Exception {
    Map<String, Object> settings = Map.of("bootstrap.servers", broker.bootstrapServers());
    try (var producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      producer.send(new ProducerRecord<>(topic, 0, "key", value)).get();
    }
  }

  private static List<String> read(KafkaBroker broker, String topic) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", broker.bootstrapServers(), "auto.offset.reset", "earliest");
    TopicPartition partition = new TopicPartition(topic, 0);
    List<String> values = new ArrayList<>();
    try (var consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      consumer.assign(List.of(partition));
      long end = requireNonNull(consumer.endOffsets(List.of(partition)).get(partition));
      while (consumer.position(partition) < end) {
        for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofSeconds(1))) {
          values.add(record.value());
        }
      }
    }
    return values;
  }
}
