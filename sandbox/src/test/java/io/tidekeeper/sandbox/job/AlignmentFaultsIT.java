package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidekeeper.job.Tidekeeper;
import io.tidekeeper.sandbox.flink.JobRef;
import io.tidekeeper.sandbox.flink.JobSpec;
import io.tidekeeper.sandbox.flink.SubmissionException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What alignment lets pass, on plain Flink and here. */
class AlignmentFaultsIT {

  private static Lab lab;

  @BeforeAll
  static void start(@TempDir Path dir) {
    lab = Lab.start(dir);
  }

  @AfterAll
  static void stop() {
    lab.close();
  }

  /** Field report 15. */
  @Test
  void twoSourcesOfOneNameInOneGroupIgnoreTheLimit() {
    try (Stream fast = lab.stream(1);
        Stream slow = lab.stream(1)) {
      JobRef apart = lab.flink.submit(pair("PT5S", "fast", fast, "slow", slow), null);
      runAhead(fast, slow, new Gauges(lab.flink, apart), "Source: fast");
      // The limit holds while the names differ: the last record stays where it is.
      assertThat(readBy(new Gauges(lab.flink, apart), "Source: fast")).isEqualTo(2);
      apart.cancel();

      JobRef alike = lab.flink.submit(pair("PT5S", "trips", fast, "trips", slow), null);
      Gauges gauges = new Gauges(lab.flink, alike);
      await()
          .atMost(TwoJobs.PATIENCE)
          .untilAsserted(() -> assertThat(readBy(gauges, "Source: trips")).isEqualTo(3 + 2));
      alike.cancel();

      Tidekeeper tidekeeper = Tidekeeper.from(StreamExecutionEnvironment.getExecutionEnvironment());
      tidekeeper.source(new NumberSequenceSource(1, 2), "trips");
      assertThatThrownBy(() -> tidekeeper.source(new NumberSequenceSource(1, 2), "trips"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("two sources are named 'trips'");
    }
  }

  /** Field report 4. Flink itself has come to refuse it, without a word on whose value it was. */
  @Test
  void aNegativeDriftIsRefusedByName() {
    try (Stream fast = lab.stream(1);
        Stream slow = lab.stream(1)) {
      assertThatThrownBy(() -> lab.flink.submit(pair("PT-5S", "fast", fast, "slow", slow), null))
          .isInstanceOf(SubmissionException.class)
          .hasMessageNotContaining("-5");

      Map<String, String> options = new TreeMap<>(Stream.bounded("2s"));
      options.put("tidekeeper.default.watermark.idle-timeout", "10s");
      options.put("tidekeeper.default.alignment.group", "trips");
      options.put("tidekeeper.default.alignment.max-drift", "-5s");
      assertThatThrownBy(() -> lab.flink.submit(fast.job(options, 1), null))
          .isInstanceOf(SubmissionException.class)
          .hasMessageContaining("tidekeeper.default.alignment.max-drift")
          .hasMessageContaining("-5s")
          .hasMessageContaining("a duration from 1ms");
    }
  }

  /** One source runs half a minute ahead of the other, and has one more record to read. */
  private static void runAhead(Stream fast, Stream slow, Gauges gauges, String operator) {
    slow.sendRaw(0, "1000");
    fast.sendRaw(0, "1000");
    fast.sendRaw(0, "30000");
    await()
        .atMost(TwoJobs.PATIENCE)
        .untilAsserted(() -> assertThat(readBy(gauges, operator)).isEqualTo(2));
    await()
        .atMost(TwoJobs.PATIENCE)
        .untilAsserted(
            () ->
                assertThat(gauges.subtasks(operator, "watermarkAlignmentDrift").values())
                    .allMatch(drift -> drift > 0)
                    .isNotEmpty());
    fast.sendRaw(0, "31000");
    slow.sendRaw(0, "1100");
    await()
        .atMost(TwoJobs.PATIENCE)
        .untilAsserted(() -> assertThat(readBy(gauges, "Source: slow")).isEqualTo(2));
  }

  private static double readBy(Gauges gauges, String operator) {
    return gauges.total(operator, "numRecordsOut");
  }

  private static JobSpec pair(String maxDrift, String name, Stream one, String other, Stream two) {
    return JobSpec.ofClass(
        AlignedPair.class,
        Map.of("pipeline.auto-watermark-interval", "20ms"),
        1,
        lab.broker.bootstrapServers(),
        maxDrift,
        name,
        one.input(),
        other,
        two.input());
  }
}
