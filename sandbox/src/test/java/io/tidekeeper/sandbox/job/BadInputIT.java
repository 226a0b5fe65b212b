package io.tidekeeper.sandbox.job;

import static io.tidekeeper.sandbox.job.Stream.header;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.tidekeeper.job.pipeline.TidekeeperJob;
import io.tidekeeper.sandbox.LocalPorts;
import io.tidekeeper.sandbox.flink.FlinkCluster;
import io.tidekeeper.sandbox.flink.JobRef;
import io.tidekeeper.sandbox.flink.JobSpec;
import io.tidekeeper.sandbox.flink.SubmissionException;
import io.tidekeeper.sandbox.kafka.KafkaBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong is said, set aside or waited for; what is right goes on. */
@ExtendWith(Lab.PerClass.class)
class BadInputIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Test
  void badRecordsGoToTheDeadLetterTopicAsTheyCameAndGoodOnesAreCounted(Lab lab) {
    Map<String, String> options = new TreeMap<>(Stream.bounded("2s"));
    options.put("tidekeeper.default.watermark.max-future-skew", "1h");
    long future = Instant.now().plus(Duration.ofHours(2)).toEpochMilli();
    String broken = "{\"station\":\"S1\",";
    String timeless = "{\"station\":\"S1\",\"passengers\":1}";
    String absurd = "{\"station\":\"S1\",\"passengers\":1,\"time\":-99}";
    String ahead = "{\"station\":\"S1\",\"passengers\":1,\"time\":" + future + "}";

    try (Stream stream = lab.stream(2)) {
      JobRef job = lab.flink.submit(stream.job(options, 1), null);
      stream.send(0, "S1", 1_000);
      stream.sendRaw(1, broken);
      stream.send(1, "S1", 2_000);
      stream.sendRaw(1, timeless);
      stream.sendRaw(0, absurd);
      stream.sendRaw(0, ahead);
      stream.send(0, "S1", 13_000);
      stream.send(1, "S1", 13_000);

      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(stream.committedResults()).containsExactly("S1@0=2");
                assertThat(stream.committedDeadLetters()).hasSize(4);
              });
      assertThat(stream.committedDeadLetters())
          .extracting(
              record -> new String(record.value(), UTF_8),
              record -> header(record, "tidekeeper.reason"),
              record -> header(record, "tidekeeper.topic"),
              record -> header(record, "tidekeeper.partition"),
              record -> header(record, "tidekeeper.offset"))
          .containsExactlyInAnyOrder(
              tuple(broken, "malformed", stream.input(), "1", "0"),
              tuple(timeless, "malformed", stream.input(), "1", "2"),
              tuple(absurd, "malformed", stream.input(), "0", "1"),
              tuple(ahead, "future", stream.input(), "0", "2"));
      assertThat(stream.committedDeadLetters())
          .filteredOn(record -> new String(record.value(), UTF_8).equals(absurd))
          .extracting(record -> header(record, "tidekeeper.detail"))
          .singleElement()
          .asString()
          .contains("time must be")
          .contains("-99");
      assertThat(stream.committedLate()).isEmpty();
      assertThat(job.restarts()).isZero();
      job.cancel();
    }
  }

  @Test
  void lateRecordsWithoutATopicAreCountedAndNothingBreaks(Lab lab) {
    Map<String, String> options = new TreeMap<>(Stream.bounded("2s"));
    options.put("tidekeeper.default.late.topic", "none");
    try (Stream stream = lab.stream(1)) {
      JobRef job = lab.flink.submit(stream.job(options, 1), null);
      stream.send(0, "S1", 1_000);
      stream.send(0, "S1", 13_000);
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(stream.committedResults()).containsExactly("S1@0=1"));
      stream.send(0, "S1", 5_000);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(JobMetrics.sum(lab.flink, job, "routedLate")).isEqualTo(1));
      stream.send(0, "S1", 23_000);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(stream.committedResults()).containsExactly("S1@0=1", "S1@10000=1"));
      assertThat(stream.committedLate()).isEmpty();
      assertThat(job.restarts()).isZero();
      job.cancel();
    }
  }

  @Test
  void everythingThatIsWrongWithTheConfigurationStandsInOneMessage(Lab lab) {
    Map<String, String> options = new TreeMap<>(Stream.bounded("5 seconds"));
    options.put("tidekeeper.pipeline", "trams");
    options.put("tidekeeper.default.watermark.idle-timout", "1m");
    options.put("tidekeeper.default.alignment.group", "subway");
    options.put("tidekeeper.default.alignment.max-drift", "8s");
    options.put("tidekeeper.source.tram.watermark.max-future-skew", "1h");
    options.put("tidekeeper.kafka.topic", "trips");
    try (Stream stream = lab.stream(1)) {
      JobSpec spec = stream.job(options, 1);
      SubmissionException refused =
          catchThrowableOfType(SubmissionException.class, () -> lab.flink.submit(spec, null));
      assertThat(String.valueOf(refused.getMessage()).lines().toList())
          .satisfiesExactlyInAnyOrder(
              line -> assertThat(line).contains("6 problems in the tidekeeper options"),
              line -> assertThat(line).contains("tidekeeper.pipeline = 'trams'", "subway"),
              line -> assertThat(line).contains("tidekeeper.kafka.topic", "unknown option"),
              line -> assertThat(line).contains("idle-timout", "did you mean", "idle-timeout"),
              line -> assertThat(line).contains("max-out-of-orderness = '5 seconds'", "168h"),
              line ->
                  assertThat(line)
                      .contains("default.watermark.idle-timeout (not set)", "longer than"),
              line -> assertThat(line).contains("source.tram", "its sources are trips"));
    }
  }

  @Test
  void aJobThatStartsBeforeKafkaWaitsForItAndGoesOnByItself(@TempDir Path dir) {
    int port = LocalPorts.free();
    try (FlinkCluster flink = FlinkCluster.in(dir.resolve("flink")).start();
        Logged logged = new Logged("io.tidekeeper.job.pipeline.KafkaCheck")) {
      JobRef job = flink.submit(jobAt("127.0.0.1:" + port), null);
      assertThat(logged.lines())
          .singleElement()
          .asString()
          .startsWith("WARN Kafka at 127.0.0.1:" + port + " does not answer")
          .contains("tries again");
      await().atMost(PATIENCE).until(() -> job.restarts() > 0);

      try (KafkaBroker broker = KafkaBroker.in(dir.resolve("kafka")).port(port).start();
          Stream stream = new Stream(broker, "down", 1)) {
        stream.send(0, "S1", 1_000);
        stream.send(0, "S1", 13_000);
        await()
            .atMost(PATIENCE)
            .untilAsserted(() -> assertThat(stream.committedResults()).containsExactly("S1@0=1"));
        job.cancel();
      }
    }
  }

  /** Clients give up soon, so that the test sees a restart soon; all else is as by default. */
  private static JobSpec jobAt(String bootstrapServers) {
    Map<String, String> options = new TreeMap<>(Stream.bounded("2s"));
    options.put("tidekeeper.pipeline", "subway");
    options.put("tidekeeper.kafka.bootstrap-servers", bootstrapServers);
    options.put("tidekeeper.kafka.input-topic", "down-in");
    options.put("tidekeeper.kafka.results-topic", "down-results");
    options.put("tidekeeper.kafka.client.request.timeout.ms", "2000");
    options.put("tidekeeper.kafka.client.default.api.timeout.ms", "2000");
    options.put("tidekeeper.kafka.client.max.block.ms", "2000");
    options.put("execution.checkpointing.interval", "500ms");
    return JobSpec.ofClass(TidekeeperJob.class, options, 1);
  }
}
