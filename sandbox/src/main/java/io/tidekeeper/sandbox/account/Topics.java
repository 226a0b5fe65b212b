package io.tidekeeper.sandbox.account;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads topics as a consumer that sees committed transactions only, from the beginning to the end
 * as it is at the call: the last record before any open transaction.
 */
public final class Topics {
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final String bootstrapServers;

  /** Reads from these brokers, {@code host:port}. */
  public Topics(String bootstrapServers) {
    this.bootstrapServers = bootstrapServers;
  }

  /**
   * The windows in a results topic.
   *
   * @throws IllegalStateException when the topic is not there, a record cannot be read, or the end
   *     is not reached within two minutes
   */
  public List<ResultRecord> results(String topic) {
    return read(topic, OutputRecords::result);
  }

  /** The records of a late or dead-letter topic; errors as with {@link #results}. */
  public List<RoutedRecord> routed(String topic) {
    return read(topic, OutputRecords::routed);
  }

  /** The committed end of each partition: the offset of the next record. */
  public Map<Integer, Long> endOffsets(String topic) {
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      Map<Integer, Long> ends = new HashMap<>();
      consumer
          .endOffsets(partitions(consumer, topic))
          .forEach((partition, end) -> ends.put(partition.partition(), end));
      return ends;
    }
  }

  private <T> List<T> read(String topic, Function<ConsumerRecord<byte[], byte[]>, T> reader) {
    List<T> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      List<TopicPartition> partitions = partitions(consumer, topic);
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      long limit = System.nanoTime() + PATIENCE.toNanos();
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        if (System.nanoTime() - limit >= 0) {
          throw new IllegalStateException(
              "topic '%s' was not read to its end %s within %s; %d records read"
                  .formatted(topic, ends, PATIENCE, records.size()));
        }
        consumer.poll(POLL).forEach(record -> records.add(reader.apply(record)));
      }
    }
    return records;
  }

  private static List<TopicPartition> partitions(
      KafkaConsumer<byte[], byte[]> consumer, String topic) {
    List<TopicPartition> partitions = new ArrayList<>();
    for (PartitionInfo partition : consumer.partitionsFor(topic)) {
      partitions.add(new TopicPartition(topic, partition.partition()));
    }
    if (partitions.isEmpty()) {
      throw new IllegalStateException("there is no topic '%s'".formatted(topic));
    }
    return partitions;
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    return new KafkaConsumer<>(
        Map.of(
            "bootstrap.servers", bootstrapServers,
            "isolation.level", "read_committed",
            "allow.auto.create.topics", "false",
            "auto.offset.reset", "earliest"),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }
}
