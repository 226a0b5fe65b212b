package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidekeeper.sandbox.flink.JobRef;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Source subtasks without a partition do not hold back the others. */
@ExtendWith(Lab.PerClass.class)
class ParallelismAbovePartitionsIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Test
  void resultsFlowWithoutAnIdleTimeoutAndSoonerWithOne(Lab lab) {
    try (Stream patient = lab.stream(1);
        Stream quick = lab.stream(1)) {
      JobRef patientJob = lab.flink.submit(patient.job(Stream.bounded("2s"), 3), null);
      Map<String, String> options = new TreeMap<>(Stream.bounded("2s"));
      options.put("tidekeeper.default.watermark.idle-timeout", "500ms");
      // Starts later, and yet is the first to speak.
      JobRef quickJob = lab.flink.submit(quick.job(options, 3), null);
      for (Stream stream : new Stream[] {patient, quick}) {
        stream.send(0, "S1", 1_000);
        stream.send(0, "S1", 9_000);
        stream.send(0, "S1", 13_000);
      }

      for (Stream stream : new Stream[] {quick, patient}) {
        await()
            .atMost(PATIENCE)
            .untilAsserted(() -> assertThat(stream.committedResults()).containsExactly("S1@0=2"));
      }
      assertThat(writtenAt(quick)).isLessThan(writtenAt(patient));
      quickJob.cancel();
      patientJob.cancel();
    }
  }

  private static long writtenAt(Stream stream) {
    return stream.committedResultRecords().get(0).timestamp();
  }
}
