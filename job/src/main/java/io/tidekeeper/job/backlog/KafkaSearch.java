package io.tidekeeper.job.backlog;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the first record that a consumer of the source's isolation level is given. The consumer
 * is in no group, so that it disturbs nobody, and has nothing to fetch between two searches. For
 * one thread.
 */
final class KafkaSearch implements AutoCloseable {

  /** How long one search may take for all partitions together. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private static final Duration POLL = Duration.ofMillis(100);

  /** One record is enough; a larger batch is given all the same. */
  private static final String BYTES_OF_A_PARTITION = String.valueOf(16 << 10);

  private static final String BYTES_OF_A_FETCH = String.valueOf(1 << 20);

  private final Properties properties;
  private @Nullable KafkaConsumer<byte[], byte[]> consumer;

  /**
   * @param source the properties of the source's consumer
   */
  KafkaSearch(Properties source, IsolationLevel isolation) {
    properties = new Properties();
    properties.putAll(source);
    for (String own :
        List.of(
            ConsumerConfig.CLIENT_ID_CONFIG,
            ConsumerConfig.GROUP_ID_CONFIG,
            ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
            ConsumerConfig.GROUP_PROTOCOL_CONFIG,
            ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG)) {
      properties.remove(own);
    }
    String poll = String.valueOf(POLL.toMillis());
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation.toString());
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, "1");
    properties.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, poll);
    properties.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, BYTES_OF_A_PARTITION);
    properties.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, BYTES_OF_A_FETCH);
    properties.put(
        ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, String.valueOf(PATIENCE.toMillis()));
    properties.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, String.valueOf(PATIENCE.toMillis()));
  }

  /** What it came to in each partition. */
  Map<TopicPartition, Searched> search(Map<TopicPartition, BrokerSide.Stretch> stretches) {
    KafkaConsumer<byte[], byte[]> used = consumer;
    if (used == null) {
      used =
          new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
      consumer = used;
    }
    try {
      Map<TopicPartition, Searched> results = search(used, stretches);
      used.unsubscribe();
      return results;
    } catch (RuntimeException e) {
      // The next search begins with another one.
      consumer = null;
      try {
        used.close();
      } catch (RuntimeException inClose) {
        e.addSuppressed(inClose);
      }
      throw e;
    }
  }

  private static Map<TopicPartition, Searched> search(
      KafkaConsumer<byte[], byte[]> consumer, Map<TopicPartition, BrokerSide.Stretch> stretches) {
    Map<TopicPartition, Searched> results = new HashMap<>();
    consumer.assign(stretches.keySet());
    stretches.forEach((partition, stretch) -> consumer.seek(partition, stretch.from()));
    Set<TopicPartition> open = new HashSet<>(stretches.keySet());
    long start = System.nanoTime();
    while (!open.isEmpty() && System.nanoTime() - start < PATIENCE.toNanos()) {
      ConsumerRecords<byte[], byte[]> polled = consumer.poll(POLL);
      Set<TopicPartition> done = new HashSet<>();
      for (TopicPartition partition : open) {
        BrokerSide.Stretch stretch = Objects.requireNonNull(stretches.get(partition));
        Searched now = now(consumer, partition, stretch, polled.records(partition));
        results.put(partition, now);
        if (now.found() || now.to() >= stretch.to()) {
          done.add(partition);
        }
      }
      open.removeAll(done);
      consumer.pause(done);
    }
    return results;
  }

  @Override
  public void close() {
    KafkaConsumer<byte[], byte[]> used = consumer;
    if (used != null) {
      consumer = null;
      used.close();
    }
  }

  private static Searched now(
      KafkaConsumer<?, ?> consumer,
      TopicPartition partition,
      BrokerSide.Stretch stretch,
      List<? extends ConsumerRecord<?, ?>> records) {
    return records.isEmpty()
        // It has passed what it is not given.
        ? new Searched(stretch.from(), consumer.position(partition), false)
        : new Searched(stretch.from(), records.get(0).offset(), true);
  }
}
