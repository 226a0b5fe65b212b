package io.tidekeeper.sandbox.job;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidekeeper.job.Tidekeeper;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** A job that adopts the library for two sources. */
public final class TwoSourcesJob {

  private TwoSourcesJob() {}

  /** Starts the job. */
  public static void main(String[] args) throws Exception {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    Map<String, String> configuration = env.getConfiguration().toMap();
    Tidekeeper tidekeeper = Tidekeeper.from(env);
    DataStream<String> live = source(tidekeeper, configuration, "live");
    DataStream<String> backfill = source(tidekeeper, configuration, "backfill");
    tidekeeper.checkSources();
    live.union(backfill).sinkTo(new DiscardingSink<>());
    env.execute("two sources");
  }

  private static DataStream<String> source(
      Tidekeeper tidekeeper, Map<String, String> configuration, String name) {
    KafkaSource<String> kafka =
        KafkaSource.<String>builder()
            .setBootstrapServers(option(configuration, "test.bootstrap-servers"))
            .setTopics(option(configuration, "test." + name))
            .setGroupId(name)
            .setStartingOffsets(OffsetsInitializer.earliest())
            .setValueOnlyDeserializer(new SimpleStringSchema())
            .build();
    return tidekeeper.source(kafka, name).timestamps(TwoSourcesJob::time).uid(name).build();
  }

  private static String option(Map<String, String> configuration, String key) {
    return Objects.requireNonNull(configuration.get(key), key);
  }

  private static long time(String trip) {
    try {
      return new ObjectMapper().readTree(trip).get("time").asLong();
    } catch (IOException e) {
      throw new IllegalArgumentException(trip, e);
    }
  }
}
