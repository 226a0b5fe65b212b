package io.tidekeeper.job.backlog;

import java.util.Locale;
import java.util.Properties;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.IsolationLevel;

/** The backlog of a {@code KafkaSource}. */
public final class KafkaBacklog implements BacklogProbe<KafkaPartitionSplit> {

  private static final long serialVersionUID = 1L;

  private final Properties source;
  private final IsolationLevel isolation;

  /**
   * @param source the properties of the source's consumer, as the source has them: {@code
   *     bootstrap.servers} is required; {@code isolation.level} (Kafka's default: {@code
   *     read_uncommitted}) decides what counts as readable; {@code group.id} and {@code
   *     auto.offset.reset} are needed where the source starts at committed offsets; and what else
   *     the connection needs
   * @throws IllegalArgumentException when {@code bootstrap.servers} is missing or {@code
   *     isolation.level} is none of Kafka's
   */
  public KafkaBacklog(Properties source) {
    this.source = new Properties();
    this.source.putAll(source);
    if (this.source.getProperty(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG) == null) {
      throw new IllegalArgumentException(
          "the backlog of a Kafka source needs its " + ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG);
    }
    this.isolation =
        isolation(
            this.source.getProperty(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted"));
  }

  private static IsolationLevel isolation(String name) {
    for (IsolationLevel level : IsolationLevel.values()) {
      if (level.toString().equals(name.toLowerCase(Locale.ROOT))) {
        return level;
      }
    }
    throw new IllegalArgumentException(
        "%s must be read_uncommitted or read_committed, but is '%s'"
            .formatted(ConsumerConfig.ISOLATION_LEVEL_CONFIG, name));
  }

  @Override
  public ReadPositions<KafkaPartitionSplit> positions() {
    return new KafkaPositions();
  }

  @Override
  public BrokerSide connect() {
    return new KafkaBrokerSide(source, isolation);
  }
}
