package io.tidekeeper.sandbox.job;

import io.tidekeeper.job.Tidekeeper;
import io.tidekeeper.sandbox.flink.JobSpec;
import io.tidekeeper.sandbox.kafka.KafkaBroker;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * A job that reads a backlog at a speed of its own, whatever the machine can do: each record takes
 * {@link #WORK}. Its records are numbers, their event times. On Flink alone, or with the library.
 */
public final class CatchUpJob {

  /** What a record costs. */
  static final Duration WORK = Duration.ofMillis(1);

  /** How often readers report. */
  static final Duration UPDATE_INTERVAL = Duration.ofMillis(200);

  private static final String MAX_DRIFT = "tidekeeper.default.alignment.max-drift";

  private CatchUpJob() {}

  /** The job with the library. */
  static JobSpec ours(KafkaBroker broker, Stream stream, Duration maxDrift) {
    Map<String, String> options = new TreeMap<>(Stream.bounded("0s"));
    options.put("tidekeeper.default.watermark.emit.interval", "20ms");
    options.put("tidekeeper.default.watermark.idle-timeout", "10m");
    options.put("tidekeeper.default.alignment.group", "catch-up");
    options.put("tidekeeper.default.alignment.update-interval", millis(UPDATE_INTERVAL));
    options.put(MAX_DRIFT, millis(maxDrift));
    return spec(broker, stream, options);
  }

  /** The same on Flink alone. */
  static JobSpec plain(KafkaBroker broker, Stream stream, Duration maxDrift) {
    return spec(
        broker,
        stream,
        Map.of(
            "pipeline.auto-watermark-interval",
            "20ms",
            "test.plain-max-drift",
            String.valueOf(maxDrift.toMillis())));
  }

  private static JobSpec spec(KafkaBroker broker, Stream stream, Map<String, String> options) {
    Map<String, String> all = TestInput.options(broker, stream, options);
    return JobSpec.ofClass(CatchUpJob.class, all, 2);
  }

  private static String millis(Duration duration) {
    return duration.toMillis() + "ms";
  }

  /** Starts the job. */
  public static void main(String[] args) throws Exception {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    Map<String, String> configuration = env.getConfiguration().toMap();
    KafkaSource<String> kafka = TestInput.source(configuration, TestInput.TOPIC, "catch-up");
    records(env, kafka, configuration)
        .map(CatchUpJob::work)
        .returns(Types.STRING)
        .sinkTo(new DiscardingSink<>());
    env.execute("catch-up");
  }

  private static DataStream<String> records(
      StreamExecutionEnvironment env,
      KafkaSource<String> kafka,
      Map<String, String> configuration) {
    String plainDrift = configuration.get("test.plain-max-drift");
    if (plainDrift != null) {
      Duration maxDrift = Duration.ofMillis(Long.parseLong(plainDrift));
      return env.fromSource(
          kafka,
          WatermarkStrategy.<String>forMonotonousTimestamps()
              .withTimestampAssigner((time, kafkaTime) -> Long.parseLong(time))
              .withWatermarkAlignment("catch-up", maxDrift, UPDATE_INTERVAL),
          "trips");
    }
    Tidekeeper tidekeeper = Tidekeeper.from(env);
    DataStream<String> trips =
        tidekeeper.source(kafka, "trips").timestamps(Long::parseLong).uid("trips").build();
    tidekeeper.checkSources();
    return trips;
  }

  private static String work(String value) {
    LockSupport.parkNanos(WORK.toNanos());
    return value;
  }
}
