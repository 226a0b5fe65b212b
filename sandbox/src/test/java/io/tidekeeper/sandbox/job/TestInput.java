package io.tidekeeper.sandbox.job;

import io.tidekeeper.sandbox.kafka.KafkaBroker;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;

/** What the jobs of tests read; their configuration tells them where it is. */
final class TestInput {

  /** The option for the broker. */
  static final String BROKER = "test.bootstrap-servers";

  /** The option for the topic, of a job that reads one. */
  static final String TOPIC = "test.input";

  private TestInput() {}

  /** The options of a job that reads the input of a stream, with those given. */
  static Map<String, String> options(
      KafkaBroker broker, Stream stream, Map<String, String> others) {
    Map<String, String> all = new TreeMap<>(others);
    all.put(BROKER, broker.bootstrapServers());
    all.put(TOPIC, stream.input());
    return all;
  }

  /** A source of the values of a topic, as texts from its beginning on. */
  static KafkaSource<String> source(
      Map<String, String> configuration, String topicOption, String groupId) {
    return KafkaSource.<String>builder()
        .setBootstrapServers(option(configuration, BROKER))
        .setTopics(option(configuration, topicOption))
        .setGroupId(groupId)
        .setStartingOffsets(OffsetsInitializer.earliest())
        .setValueOnlyDeserializer(new SimpleStringSchema())
        .build();
  }

  /** The value of an option that the job cannot do without. */
  static String option(Map<String, String> configuration, String key) {
    return Objects.requireNonNull(configuration.get(key), key);
  }
}
