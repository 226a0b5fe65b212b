package io.tidekeeper.sandbox.job;

import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * Two sources in one alignment group on Flink alone, whose records are their event times.
 *
 * <p>Arguments: the brokers, the maximum drift, then name and topic of each source.
 */
public final class AlignedPair {

  private AlignedPair() {}

  /** Starts the job. */
  public static void main(String[] args) throws Exception {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    for (int source = 2; source < args.length; source += 2) {
      env.fromSource(
              KafkaSource.<String>builder()
                  .setBootstrapServers(args[0])
                  .setTopics(args[source + 1])
                  .setStartingOffsets(OffsetsInitializer.earliest())
                  .setValueOnlyDeserializer(new SimpleStringSchema())
                  .build(),
              WatermarkStrategy.<String>forMonotonousTimestamps()
                  .withTimestampAssigner((time, kafka) -> Long.parseLong(time))
                  .withWatermarkAlignment("pair", Duration.parse(args[1]), Duration.ofMillis(100)),
              args[source])
          .sinkTo(new DiscardingSink<>());
    }
    env.execute("aligned-pair");
  }
}
