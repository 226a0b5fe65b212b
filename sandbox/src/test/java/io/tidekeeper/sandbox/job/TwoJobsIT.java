package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidekeeper.job.source.SourceSubtasks;
import io.tidekeeper.sandbox.flink.JobRef;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two of our jobs share a task manager, and nothing else. */
@ExtendWith(Lab.PerClass.class)
class TwoJobsIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Test
  void eachHasItsOwnPolicyResultsAndMetricsAndLeavesNothingBehind(Lab lab) {
    try (Stream strict = lab.stream(2);
        Stream lenient = lab.stream(1)) {
      Map<String, String> strictOptions = new TreeMap<>(Stream.bounded("2s"));
      strictOptions.put("tidekeeper.default.watermark.idle-timeout", "500ms");
      strictOptions.put("tidekeeper.revision", "7");
      JobRef strictJob = lab.flink.submit(strict.job(strictOptions, 2), null);
      Map<String, String> lenientOptions = new TreeMap<>(Stream.bounded("9s"));
      lenientOptions.put("tidekeeper.revision", "8");
      JobRef lenientJob = lab.flink.submit(lenient.job(lenientOptions, 1), null);

      for (Stream stream : new Stream[] {strict, lenient}) {
        stream.send(0, "S1", 1_000);
        stream.send(0, "S1", 13_000);
      }
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(strict.committedResults()).containsExactly("S1@0=1"));
      for (Stream stream : new Stream[] {strict, lenient}) {
        // Late under 2 s, in time under 9 s.
        stream.send(0, "S1", 5_000);
        stream.send(0, "S1", 40_000);
      }
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(strict.committedResults())
                    .containsExactlyInAnyOrder("S1@0=1", "S1@10000=1");
                assertThat(strict.committedLate()).hasSize(1);
                assertThat(lenient.committedResults())
                    .containsExactlyInAnyOrder("S1@0=2", "S1@10000=1");
              });
      assertThat(lenient.committedLate()).isEmpty();

      Gauges strictGauges = new Gauges(lab.flink, strictJob);
      Gauges lenientGauges = new Gauges(lab.flink, lenientJob);
      assertThat(strictGauges.subtasks("Source: trips", "tidekeeper_revision").values())
          .containsExactly(7.0, 7.0);
      assertThat(lenientGauges.subtasks("Source: trips", "tidekeeper_revision").values())
          .containsExactly(8.0);
      assertThat(strictGauges.splits("outOfOrderness"))
          .isEqualTo(Map.of(strict.split(0), 2_000.0, strict.split(1), 2_000.0));
      assertThat(lenientGauges.splits("outOfOrderness"))
          .isEqualTo(Map.of(lenient.split(0), 9_000.0));
      // Strict's empty partition is idle; lenient has no idle timeout.
      assertThat(strictGauges.splits("state")).containsEntry(strict.split(1), 1.0);
      assertThat(lenientGauges.splits("state")).isEqualTo(Map.of(lenient.split(0), 0.0));
      assertThat(strictGauges.splits("lateRecords").get(strict.split(0))).isEqualTo(1);
      assertThat(lenientGauges.splits("lateRecords").get(lenient.split(0))).isZero();

      assertThat(SourceSubtasks.count()).isEqualTo(3);
      strictJob.cancel();
      lenientJob.stopWithSavepoint(false);
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(SourceSubtasks.count()).isZero());
    }
  }
}
