package io.tidekeeper.job.backlog;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Asks a Kafka cluster for offsets by an admin client, and for records by {@link KafkaSearch}. */
final class KafkaBrokerSide implements BrokerSide {

  /** How long a question may take; the broker is away after that. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Properties source;
  private final IsolationLevel isolation;
  private final KafkaSearch search;
  private @Nullable Admin admin;

  /**
   * @param source the properties of the source's consumer
   */
  KafkaBrokerSide(Properties source, IsolationLevel isolation) {
    this.source = source;
    this.isolation = isolation;
    this.search = new KafkaSearch(source, isolation);
  }

  @Override
  public Map<String, Offsets> offsets(Collection<SplitPosition> positions) throws Exception {
    Map<TopicPartition, SplitPosition> asked = new HashMap<>();
    positions.forEach(position -> asked.put(partition(position.splitId()), position));
    Answers starts = list(asked.keySet(), OffsetSpec.earliest(), isolation);
    Answers ends = list(asked.keySet(), OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED);
    Answers readable =
        isolation == IsolationLevel.READ_UNCOMMITTED
            ? ends
            : list(asked.keySet(), OffsetSpec.latest(), isolation);
    Map<TopicPartition, Long> committed = committed(asked);

    Map<String, Offsets> offsets = new HashMap<>();
    asked.forEach(
        (partition, split) -> {
          Long start = starts.of(partition);
          Long end = ends.of(partition);
          Long readableEnd = readable.of(partition);
          if (start != null && end != null && readableEnd != null) {
            Long position = resolve(split.position(), start, committed.get(partition));
            if (position != null) {
              offsets.put(split.splitId(), new Offsets(position, start, readableEnd, end));
            }
          }
        });
    if (offsets.isEmpty()) {
      for (Answers answers : List.of(starts, ends, readable)) {
        ExecutionException failure = answers.failure();
        if (failure != null) {
          throw failure;
        }
      }
    }
    return offsets;
  }

  /** Before its first record a split may stand at a marker; null when nobody can know where. */
  private @Nullable Long resolve(long position, long start, @Nullable Long committed) {
    if (position >= 0) {
      return position;
    }
    if (position == KafkaPartitionSplit.EARLIEST_OFFSET) {
      return start;
    }
    if (position != KafkaPartitionSplit.COMMITTED_OFFSET) {
      return null;
    }
    boolean fromStart =
        "earliest".equals(source.getProperty(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG));
    if (committed == null) {
      return fromStart ? start : null;
    }
    return committed;
  }

  private Map<TopicPartition, Long> committed(Map<TopicPartition, SplitPosition> asked)
      throws ExecutionException, InterruptedException {
    String group = source.getProperty(ConsumerConfig.GROUP_ID_CONFIG);
    Map<TopicPartition, Long> committed = new HashMap<>();
    if (group == null
        || asked.values().stream()
            .noneMatch(split -> split.position() == KafkaPartitionSplit.COMMITTED_OFFSET)) {
      return committed;
    }
    Map<TopicPartition, OffsetAndMetadata> found =
        admin()
            .listConsumerGroupOffsets(Map.of(group, new ListConsumerGroupOffsetsSpec()))
            .partitionsToOffsetAndMetadata(group)
            .get();
    found.forEach(
        (partition, offset) -> {
          if (offset != null) {
            committed.put(partition, offset.offset());
          }
        });
    return committed;
  }

  /** What the brokers answered for each partition, and why one of them did not. */
  private record Answers(Map<TopicPartition, Long> offsets, @Nullable ExecutionException failure) {
    @Nullable Long of(TopicPartition partition) {
      return offsets.get(partition);
    }
  }

  private Answers list(Collection<TopicPartition> partitions, OffsetSpec spec, IsolationLevel level)
      throws InterruptedException {
    Map<TopicPartition, OffsetSpec> specs = new HashMap<>();
    partitions.forEach(partition -> specs.put(partition, spec));
    ListOffsetsResult answer = admin().listOffsets(specs, new ListOffsetsOptions(level));
    Map<TopicPartition, Long> offsets = new HashMap<>();
    ExecutionException failure = null;
    for (TopicPartition partition : partitions) {
      try {
        offsets.put(partition, answer.partitionResult(partition).get().offset());
      } catch (ExecutionException e) {
        // A partition without a leader is one that nobody knows anything of; others answer.
        failure = e;
      }
    }
    return new Answers(offsets, failure);
  }

  @Override
  public Map<String, Searched> search(Map<String, Stretch> stretches) {
    Map<TopicPartition, Stretch> partitions = new HashMap<>();
    stretches.forEach((split, stretch) -> partitions.put(partition(split), stretch));
    Map<String, Searched> found = new HashMap<>();
    search
        .search(partitions)
        .forEach((partition, searched) -> found.put(partition.toString(), searched));
    return found;
  }

  private Admin admin() {
    Admin present = admin;
    if (present == null) {
      Properties properties = new Properties();
      properties.putAll(source);
      // Unique by itself, and not the name of a consumer.
      properties.remove(AdminClientConfig.CLIENT_ID_CONFIG);
      properties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, millis(PATIENCE));
      properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, millis(PATIENCE));
      present = Admin.create(properties);
      admin = present;
    }
    return present;
  }

  private static TopicPartition partition(String splitId) {
    int dash = splitId.lastIndexOf('-');
    return new TopicPartition(
        splitId.substring(0, dash), Integer.parseInt(splitId.substring(dash + 1)));
  }

  private static String millis(Duration duration) {
    return String.valueOf(duration.toMillis());
  }

  @Override
  public void close() {
    search.close();
    Admin present = admin;
    if (present != null) {
      admin = null;
      present.close(Duration.ZERO);
    }
  }
}
