package io.tidekeeper.sandbox.job;

import io.tidekeeper.job.Tidekeeper;
import io.tidekeeper.sandbox.flink.JobSpec;
import io.tidekeeper.sandbox.kafka.KafkaBroker;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** A job that lets one record through for each permit, and otherwise holds its source's thread. */
public final class StuckJob {

  /** One permit a record. */
  static final Semaphore GATE = new Semaphore(0);

  private StuckJob() {}

  /** The job on the input of a stream, whose records are numbers: their event times. */
  static JobSpec of(KafkaBroker broker, Stream stream, Map<String, String> options) {
    Map<String, String> all = new TreeMap<>(options);
    all.put("test.bootstrap-servers", broker.bootstrapServers());
    all.put("test.input", stream.input());
    return JobSpec.ofClass(StuckJob.class, all, 1);
  }

  /** Starts the job. */
  public static void main(String[] args) throws Exception {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    Map<String, String> configuration = env.getConfiguration().toMap();
    KafkaSource<String> kafka =
        KafkaSource.<String>builder()
            .setBootstrapServers(option(configuration, "test.bootstrap-servers"))
            .setTopics(option(configuration, "test.input"))
            .setGroupId("stuck")
            .setStartingOffsets(OffsetsInitializer.earliest())
            .setValueOnlyDeserializer(new SimpleStringSchema())
            .build();
    Tidekeeper tidekeeper = Tidekeeper.from(env);
    tidekeeper
        .source(kafka, "stuck")
        .timestamps(Long::parseLong)
        .uid("stuck")
        .build()
        .map(StuckJob::pass)
        .returns(Types.STRING)
        .sinkTo(new DiscardingSink<>());
    tidekeeper.checkSources();
    env.execute("stuck");
  }

  private static String pass(String value) throws InterruptedException {
    GATE.acquire();
    return value;
  }

  private static String option(Map<String, String> configuration, String key) {
    return Objects.requireNonNull(configuration.get(key), key);
  }
}
