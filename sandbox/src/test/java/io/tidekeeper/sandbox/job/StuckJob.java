package io.tidekeeper.sandbox.job;

import io.tidekeeper.job.Tidekeeper;
import io.tidekeeper.sandbox.flink.JobSpec;
import io.tidekeeper.sandbox.kafka.KafkaBroker;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** A job that lets one record through for each permit, and otherwise holds its source's thread. */
public final class StuckJob {

  /** One permit a record. */
  static final Semaphore GATE = new Semaphore(0);

  private StuckJob() {}

  /** The job on the input of a stream, whose records are numbers: their event times. */
  static JobSpec of(KafkaBroker broker, Stream stream, Map<String, String> options) {
    Map<String, String> all = TestInput.options(broker, stream, options);
    return JobSpec.ofClass(StuckJob.class, all, 1);
  }

  /** Starts the job. */
  public static void main(String[] args) throws Exception {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    Map<String, String> configuration = env.getConfiguration().toMap();
    KafkaSource<String> kafka = TestInput.source(configuration, TestInput.TOPIC, "stuck");
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
}
