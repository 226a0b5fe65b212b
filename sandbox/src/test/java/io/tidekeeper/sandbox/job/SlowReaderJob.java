package io.tidekeeper.sandbox.job;

import io.tidekeeper.job.Tidekeeper;
import io.tidekeeper.job.backlog.KafkaBacklog;
import io.tidekeeper.job.pipeline.StationCount;
import io.tidekeeper.job.pipeline.StationCountSerializer;
import io.tidekeeper.job.pipeline.StationCounts;
import io.tidekeeper.job.pipeline.SubwayDeserializer;
import io.tidekeeper.job.pipeline.SubwayPipeline;
import io.tidekeeper.job.pipeline.SubwayRecord;
import io.tidekeeper.sandbox.flink.JobSpec;
import io.tidekeeper.sandbox.kafka.KafkaBroker;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.DeserializationSchema.InitializationContext;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Counts trips per station like the subway job, with a deserializer that takes its time over each
 * record of partition 0. Kafka's consumer hands out what it has fetched of one partition before it
 * turns to the next, so the other partition waits meanwhile.
 */
public final class SlowReaderJob {

  /** How long a record of partition 0 takes. */
  static final Duration PER_RECORD = Duration.ofMillis(10);

  private static final String PLAIN_IDLE_TIMEOUT = "test.plain-idle-timeout";
  private static final Duration OUT_OF_ORDERNESS = Duration.ofSeconds(2);

  private SlowReaderJob() {}

  /** With the library. */
  static JobSpec ours(KafkaBroker broker, Stream stream, Map<String, String> policy) {
    Map<String, String> options = new TreeMap<>(Stream.bounded("2s"));
    options.putAll(policy);
    return job(broker, stream, stream.results(), options);
  }

  /** On Flink alone. */
  static JobSpec plain(KafkaBroker broker, Stream stream, Duration idleTimeout) {
    Map<String, String> options = new TreeMap<>();
    options.put(PLAIN_IDLE_TIMEOUT, idleTimeout.toString());
    options.put("pipeline.auto-watermark-interval", "20ms");
    return job(broker, stream, stream.plainResults(), options);
  }

  private static JobSpec job(
      KafkaBroker broker, Stream stream, String results, Map<String, String> options) {
    Map<String, String> all = TestInput.options(broker, stream, options);
    all.put("test.results", results);
    all.put("execution.checkpointing.interval", "500ms");
    return JobSpec.ofClass(SlowReaderJob.class, all, 1);
  }

  /** Starts the job. */
  public static void main(String[] args) throws Exception {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    Map<String, String> options = env.getConfiguration().toMap();
    Properties consumer = new Properties();
    consumer.put("bootstrap.servers", TestInput.option(options, TestInput.BROKER));
    KafkaSource<SubwayRecord> kafka =
        KafkaSource.<SubwayRecord>builder()
            .setProperties(consumer)
            .setTopics(TestInput.option(options, TestInput.TOPIC))
            .setStartingOffsets(OffsetsInitializer.earliest())
            .setDeserializer(new SlowDeserializer())
            .build();
    String plainIdleTimeout = options.get(PLAIN_IDLE_TIMEOUT);
    DataStream<SubwayRecord> trips =
        plainIdleTimeout == null
            ? Tidekeeper.from(env)
                .source(kafka, SubwayPipeline.SOURCE)
                .timestamps(record -> record.eventTime)
                .backlog(new KafkaBacklog(consumer))
                .uid("trips")
                .build()
            : env.fromSource(
                    kafka,
                    WatermarkStrategy.<SubwayRecord>forBoundedOutOfOrderness(OUT_OF_ORDERNESS)
                        .withTimestampAssigner((record, kafkaTime) -> record.eventTime)
                        .withIdleness(Duration.parse(plainIdleTimeout)),
                    SubwayPipeline.SOURCE)
                .uid("trips");
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
        .uid("window")
        .sinkTo(
            KafkaSink.<StationCount>builder()
                .setKafkaProducerConfig(consumer)
                .setRecordSerializer(
                    new StationCountSerializer(TestInput.option(options, "test.results")))
                .build())
        .uid("results");
    env.execute("slow reader");
  }

  private static final class SlowDeserializer
      implements KafkaRecordDeserializationSchema<SubwayRecord> {

    private static final long serialVersionUID = 1L;

    private final SubwayDeserializer trips = new SubwayDeserializer();

    @Override
    public void open(InitializationContext context) {
      trips.open(context);
    }

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> kafka, Collector<SubwayRecord> out)
        throws IOException {
      if (kafka.partition() == 0) {
        try {
          TimeUnit.NANOSECONDS.sleep(PER_RECORD.toNanos());
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IOException(e);
        }
      }
      trips.deserialize(kafka, out);
    }

    @Override
    public TypeInformation<SubwayRecord> getProducedType() {
      return trips.getProducedType();
    }
  }
}
