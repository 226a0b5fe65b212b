package io.tidekeeper.sandbox.account;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidekeeper.sandbox.kafka.KafkaBroker;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@NullUnmarked
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TopicsTest {
  private static final String RESULT =
      "{\"station\":\"S001\",\"windowStart\":0,\"windowEnd\":10000,\"count\":2,\"passengers\":5}";

  private KafkaBroker broker;
  private Topics topics;

  @BeforeAll
  void start(@TempDir Path dir) {
    broker = KafkaBroker.start(dir);
    topics = new Topics(broker.bootstrapServers());
  }

  @AfterAll
  void stop() {
    broker.close();
  }

  @Test
  void onlyCommittedResultsAreSeen() {
    broker.createTopic("results", 2);
    try (KafkaProducer<String, String> producer = producer("committed")) {
      producer.beginTransaction();
      send(producer, new ProducerRecord<>("results", 0, "S001", RESULT));
      send(producer, new ProducerRecord<>("results", 1, "S001", RESULT));
      producer.commitTransaction();
      producer.beginTransaction();
      send(producer, new ProducerRecord<>("results", 0, "S001", RESULT));
      producer.flush();
      producer.abortTransaction();
    }
    try (KafkaProducer<String, String> open = producer("open")) {
      open.beginTransaction();
      send(open, new ProducerRecord<>("results", 0, "S001", RESULT));
      open.flush();

      assertThat(topics.results("results"))
          .containsOnly(new ResultRecord("S001", 0, 10_000, 2, 5))
          .hasSize(2);
      assertThat(topics.endOffsets("results")).containsOnlyKeys(0, 1);
    }
  }

  @Test
  void headersSayWhereARoutedRecordCameFrom() {
    broker.createTopic("late", 1);
    broker.createTopic("dead", 1);
    sendOne(routed("late", "{\"id\":17,\"station\":\"S001\"}", "late"));
    sendOne(routed("dead", "{\"id\":18,", "malformed"));

    assertThat(topics.routed("late"))
        .containsExactly(new RoutedRecord(0, 0, "late", 3, 4711, 250, 17));
    assertThat(topics.routed("dead"))
        .containsExactly(new RoutedRecord(0, 0, "malformed", 3, 4711, 250, -1));
  }

  @Test
  void aRecordThatIsNoResultIsNamed() {
    for (String bad : new String[] {"nonsense", "{}", RESULT.replace("2", "\"2\"")}) {
      String topic = "bad-" + Integer.toHexString(bad.hashCode());
      broker.createTopic(topic, 1);
      sendOne(new ProducerRecord<>(topic, 0, "S001", bad));

      assertThatThrownBy(() -> topics.results(topic))
          .hasMessageStartingWith("record %s-0@0 is not a result: ", topic);
    }
  }

  @Test
  void aKeyOfAnotherStationIsNamed() {
    broker.createTopic("keys", 1);
    sendOne(new ProducerRecord<>("keys", 0, "S002", RESULT));

    assertThatThrownBy(() -> topics.results("keys"))
        .hasMessage("record keys-0@0 has key 'S002' and station 'S001'");
  }

  @Test
  void aMissingHeaderIsNamed() {
    broker.createTopic("plain", 1);
    sendOne(new ProducerRecord<>("plain", 0, "S001", "{}"));

    assertThatThrownBy(() -> topics.routed("plain"))
        .hasMessage("record plain-0@0 has no header tidekeeper.reason");
  }

  private static ProducerRecord<String, String> routed(String topic, String value, String reason) {
    ProducerRecord<String, String> record = new ProducerRecord<>(topic, 0, "S001", value);
    Map<String, String> headers =
        Map.of("reason", reason, "partition", "3", "offset", "4711", "lateness-ms", "250");
    headers.forEach(
        (name, text) -> record.headers().add("tidekeeper." + name, text.getBytes(UTF_8)));
    return record;
  }

  private void sendOne(ProducerRecord<String, String> record) {
    try (KafkaProducer<String, String> producer = producer("one")) {
      producer.beginTransaction();
      send(producer, record);
      producer.commitTransaction();
    }
  }

  /** A commit or flush that follows fails when the record was not stored. */
  private static void send(
      KafkaProducer<String, String> producer, ProducerRecord<String, String> record) {
    var unused = producer.send(record);
  }

  private KafkaProducer<String, String> producer(String transactionalId) {
    KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                broker.bootstrapServers(),
                "transactional.id",
                transactionalId),
            new StringSerializer(),
            new StringSerializer());
    producer.initTransactions();
    return producer;
  }
}
