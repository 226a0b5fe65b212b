package io.tidekeeper.sandbox.plain;

import io.tidekeeper.job.pipeline.StationCount;
import io.tidekeeper.job.pipeline.StationCountSerializer;
import io.tidekeeper.job.pipeline.StationCounts;
import io.tidekeeper.job.pipeline.SubwayPipeline;
import io.tidekeeper.job.pipeline.SubwayRecord;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * The subway pipeline on Flink alone: a constant out-of-orderness, no watermark restore, late
 * records dropped and counted by Flink ({@code numLateRecordsDropped}).
 *
 * <p>Source and window have the operator ids of the bundled job and the same state, so a savepoint
 * of either starts the other. The results sink has an id and transactions of its own: both jobs can
 * start from one savepoint and run side by side.
 *
 * <p>Options, in the Flink configuration: {@code tidekeeper.kafka.bootstrap-servers} and {@code
 * .input-topic} as for the bundled job, and those below.
 */
public final class PlainSubwayJob {

  /** Where results go, exactly once. Required. */
  public static final ConfigOption<String> RESULTS_TOPIC =
      ConfigOptions.key("plain.results-topic").stringType().noDefaultValue();

  /** Out-of-orderness. Default: 5 s. */
  public static final ConfigOption<Duration> MAX_OUT_OF_ORDERNESS =
      ConfigOptions.key("plain.max-out-of-orderness")
          .durationType()
          .defaultValue(Duration.ofSeconds(5));

  /** How far ahead of its reference clock a record may be; others are dropped. Default: any. */
  public static final ConfigOption<Duration> MAX_FUTURE_SKEW =
      ConfigOptions.key("plain.max-future-skew").durationType().noDefaultValue();

  /** How long a partition may be silent before it is left out. Default: for ever. */
  public static final ConfigOption<Duration> IDLE_TIMEOUT =
      ConfigOptions.key("plain.idle-timeout").durationType().noDefaultValue();

  /** How far a partition may be ahead of the slowest before it is paused. Default: any. */
  public static final ConfigOption<Duration> MAX_DRIFT =
      ConfigOptions.key("plain.max-drift").durationType().noDefaultValue();

  /** The id of the results sink in savepoints. That of the bundled job hands results over to it. */
  public static final ConfigOption<String> RESULTS_SINK_UID =
      ConfigOptions.key("plain.results-sink-uid").stringType().defaultValue("plain-results-sink");

  private static final ConfigOption<String> BOOTSTRAP_SERVERS =
      ConfigOptions.key("tidekeeper.kafka.bootstrap-servers").stringType().noDefaultValue();

  private static final ConfigOption<String> INPUT_TOPIC =
      ConfigOptions.key("tidekeeper.kafka.input-topic").stringType().noDefaultValue();

  private static final Duration ALIGNMENT_INTERVAL = Duration.ofMillis(100);

  private static final Duration CHECKPOINT_INTERVAL = Duration.ofSeconds(10);

  /** The broker's usual cap. */
  private static final Duration TRANSACTION_TIMEOUT = Duration.ofMinutes(15);

  private PlainSubwayJob() {}

  /**
   * Starts the job.
   *
   * @throws IllegalArgumentException when a required option is missing
   */
  public static void main(String[] args) throws Exception {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    if (!env.getCheckpointConfig().isCheckpointingEnabled()) {
      env.enableCheckpointing(CHECKPOINT_INTERVAL.toMillis());
    }
    ReadableConfig options = env.getConfiguration();

    DataStream<SubwayRecord> trips =
        env.fromSource(source(options), watermarks(options), SubwayPipeline.SOURCE)
            .uid("subway-source");
    trips
        .keyBy(record -> record.station, Types.STRING)
        .window(TumblingEventTimeWindows.of(SubwayPipeline.WINDOW))
        .aggregate(
            new StationCounts.Sum(),
            new StationCounts.Name(),
            Types.TUPLE(Types.LONG, Types.LONG),
            Types.TUPLE(Types.LONG, Types.LONG),
            TypeInformation.of(StationCount.class))
        .name("count per station")
        .uid("subway-window")
        .sinkTo(sink(options))
        .name("results sink")
        .uid(options.get(RESULTS_SINK_UID));
    env.execute("plain-subway");
  }

  private static WatermarkStrategy<SubwayRecord> watermarks(ReadableConfig options) {
    WatermarkStrategy<SubwayRecord> strategy =
        WatermarkStrategy.<SubwayRecord>forBoundedOutOfOrderness(options.get(MAX_OUT_OF_ORDERNESS))
            .withTimestampAssigner((record, kafkaTimestamp) -> record.eventTime);
    if (options.getOptional(IDLE_TIMEOUT).isPresent()) {
      strategy = strategy.withIdleness(options.get(IDLE_TIMEOUT));
    }
    if (options.getOptional(MAX_DRIFT).isPresent()) {
      strategy =
          strategy.withWatermarkAlignment("plain", options.get(MAX_DRIFT), ALIGNMENT_INTERVAL);
    }
    return strategy;
  }

  @SuppressWarnings("deprecation") // the connector's API still takes Kafka's old enum
  private static KafkaSource<SubwayRecord> source(ReadableConfig options) {
    String topic = required(options, INPUT_TOPIC);
    return KafkaSource.<SubwayRecord>builder()
        .setBootstrapServers(required(options, BOOTSTRAP_SERVERS))
        .setTopics(topic)
        .setGroupId("plain-" + topic)
        .setStartingOffsets(OffsetsInitializer.committedOffsets(OffsetResetStrategy.EARLIEST))
        .setProperty(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed")
        .setDeserializer(
            new UsableRecords(options.getOptional(MAX_FUTURE_SKEW).map(Duration::toMillis)))
        .build();
  }

  private static KafkaSink<StationCount> sink(ReadableConfig options) {
    String topic = required(options, RESULTS_TOPIC);
    return KafkaSink.<StationCount>builder()
        .setBootstrapServers(required(options, BOOTSTRAP_SERVERS))
        .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
        .setTransactionalIdPrefix("plain-" + topic)
        .setProperty(
            ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
            String.valueOf(TRANSACTION_TIMEOUT.toMillis()))
        .setRecordSerializer(new StationCountSerializer(topic))
        .build();
  }

  private static String required(ReadableConfig options, ConfigOption<String> option) {
    return options
        .getOptional(option)
        .orElseThrow(() -> new IllegalArgumentException(option.key() + " is required"));
  }
}
