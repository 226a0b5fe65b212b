package io.tidekeeper.job.backlog;

import static org.apache.flink.connector.kafka.source.metrics.KafkaSourceReaderMetrics.CURRENT_OFFSET_METRIC_GAUGE;
import static org.apache.flink.connector.kafka.source.metrics.KafkaSourceReaderMetrics.KAFKA_SOURCE_READER_METRIC_GROUP;
import static org.apache.flink.connector.kafka.source.metrics.KafkaSourceReaderMetrics.PARTITION_GROUP;
import static org.apache.flink.connector.kafka.source.metrics.KafkaSourceReaderMetrics.TOPIC_GROUP;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.jspecify.annotations.Nullable;

/**
 * Where a Kafka reader stands: behind the offset that the connector's metric {@code currentOffset}
 * shows, and at the split's own start before the first record.
 */
final class KafkaPositions implements ReadPositions<KafkaPartitionSplit> {

  private final WatchedGauges gauges = new WatchedGauges();
  private final Map<String, KafkaPartitionSplit> splits = new HashMap<>();

  @Override
  public SourceReaderContext watch(SourceReaderContext context) {
    return gauges.in(context);
  }

  @Override
  public void assigned(KafkaPartitionSplit split) {
    splits.put(split.splitId(), split);
  }

  @Override
  public @Nullable SplitPosition of(String splitId) {
    KafkaPartitionSplit split = splits.get(splitId);
    if (split == null) {
      return null;
    }
    OptionalLong current =
        gauges.value(
            List.of(
                KAFKA_SOURCE_READER_METRIC_GROUP,
                TOPIC_GROUP,
                split.getTopic(),
                PARTITION_GROUP,
                String.valueOf(split.getPartition()),
                CURRENT_OFFSET_METRIC_GAUGE));
    if (current.isEmpty()) {
      // The reader has not taken the split up yet; or its connector has no such metric.
      return null;
    }
    long read = current.getAsLong();
    long stop = split.getStoppingOffset().orElse(Long.MAX_VALUE);
    return new SplitPosition(
        splitId,
        read >= 0 ? read + 1 : split.getStartingOffset(),
        stop < 0 ? Long.MAX_VALUE : stop);
  }
}
