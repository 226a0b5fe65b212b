package io.tidekeeper.sandbox.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidekeeper.job.Tidekeeper;
import io.tidekeeper.sandbox.flink.JobSpec;
import io.tidekeeper.sandbox.kafka.KafkaBroker;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.jspecify.annotations.Nullable;

/** A job that adopts the library for two sources. */
public final class TwoSourcesJob {

  /** The first trip of this station fails its task, once it is set. */
  static final AtomicReference<@Nullable String> POISON = new AtomicReference<>();

  private TwoSourcesJob() {}

  /** The job on the inputs of two streams, one for each source. */
  static JobSpec of(KafkaBroker broker, Stream live, Stream backfill, Map<String, String> options) {
    Map<String, String> all = new TreeMap<>(options);
    all.put(TestInput.BROKER, broker.bootstrapServers());
    all.put("test.live", live.input());
    all.put("test.backfill", backfill.input());
    return JobSpec.ofClass(TwoSourcesJob.class, all, 1);
  }

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
    KafkaSource<String> kafka = TestInput.source(configuration, "test." + name, name);
    return tidekeeper.source(kafka, name).timestamps(TwoSourcesJob::time).uid(name).build();
  }

  private static long time(String trip) {
    try {
      JsonNode json = new ObjectMapper().readTree(trip);
      String station = json.get("station").asText();
      if (station.equals(POISON.get()) && POISON.getAndSet(null) != null) {
        throw new IllegalStateException("poison");
      }
      return json.get("time").asLong();
    } catch (IOException e) {
      throw new IllegalArgumentException(trip, e);
    }
  }
}
