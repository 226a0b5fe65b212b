package io.tidekeeper.job.pipeline;

import io.tidekeeper.job.backlog.KafkaBacklog;
import io.tidekeeper.job.late.RejectedRecord;
import io.tidekeeper.job.late.RejectedSerializer;
import java.util.Properties;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;

/** The Kafka ends of a bundled pipeline: its source and its exactly-once sinks. */
final class KafkaEnds {

  private static final String ISOLATION = "read_committed";

  @SuppressWarnings("deprecation") // the connector's API still takes Kafka's old enum
  private static final OffsetResetStrategy START = OffsetResetStrategy.EARLIEST;

  private final JobOptions options;

  KafkaEnds(JobOptions options) {
    this.options = options;
  }

  /**
   * Reads the input topic from where the group has committed, from the start where it has not.
   * Uncommitted records of transactional producers stay invisible.
   */
  @SuppressWarnings("deprecation") // the connector's API still takes Kafka's old enum
  <T> KafkaSource<T> source(KafkaRecordDeserializationSchema<T> deserializer) {
    return KafkaSource.<T>builder()
        .setBootstrapServers(options.bootstrapServers())
        .setTopics(options.inputTopic())
        .setGroupId(options.groupId())
        .setStartingOffsets(OffsetsInitializer.committedOffsets(START))
        .setProperty(ConsumerConfig.ISOLATION_LEVEL_CONFIG, ISOLATION)
        .setProperties(clientProperties())
        .setDeserializer(deserializer)
        .build();
  }

  /** What the input topic still holds, as {@link #source} reads it. */
  KafkaBacklog backlog() {
    Properties properties = new Properties();
    properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, options.bootstrapServers());
    properties.put(ConsumerConfig.GROUP_ID_CONFIG, options.groupId());
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, ISOLATION);
    properties.putAll(clientProperties());
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, START.toString());
    return new KafkaBacklog(properties);
  }

  /**
   * A sink whose records appear together with the checkpoint that contains them.
   *
   * @param name distinguishes the sinks of one job; part of the transactional id
   */
  <T> KafkaSink<T> sink(String name, KafkaRecordSerializationSchema<T> serializer) {
    return KafkaSink.<T>builder()
        .setBootstrapServers(options.bootstrapServers())
        .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
        .setTransactionalIdPrefix(options.transactionalIdPrefix() + "-" + name)
        .setKafkaProducerConfig(clientProperties())
        .setProperty(
            ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
            String.valueOf(options.transactionTimeout().toMillis()))
        .setRecordSerializer(serializer)
        .build();
  }

  /**
   * Sends rejected records to a topic. Without a topic the sink is in the graph all the same,
   * behind a filter that lets nothing through: so the option can come and go with a savepoint.
   */
  void rejectedTo(@Nullable String topic, DataStream<RejectedRecord> rejected, String name) {
    boolean wanted = topic != null;
    rejected
        .filter(record -> wanted)
        .name(name + (wanted ? "" : " (no topic)"))
        .uid(options.pipeline() + "-" + name + "-filter")
        .sinkTo(sink(name, new RejectedSerializer(topic == null ? "" : topic)))
        .name(name + " sink")
        .uid(options.pipeline() + "-" + name + "-sink");
  }

  private Properties clientProperties() {
    Properties properties = new Properties();
    properties.putAll(options.kafkaClientProperties());
    return properties;
  }
}
