package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidekeeper.sandbox.flink.JobRef;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The tiers of Throughput are those of the source, whichever reader has the busy partition. */
@ExtendWith(Lab.PerClass.class)
class SourceRateIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Test
  void aReaderWithAQuietPartitionFollowsTheRateOfTheWholeSource(Lab lab) {
    try (Stream stream = lab.stream(2)) {
      Map<String, String> options = new TreeMap<>();
      options.put("tidekeeper.default.watermark.type", "Throughput");
      options.put("tidekeeper.default.watermark.throughput.window", "10s");
      options.put("tidekeeper.default.watermark.throughput.tiers", "0 5s; 10 30s");
      JobRef job = lab.flink.submit(stream.job(options, 2), null);
      Gauges gauges = new Gauges(lab.flink, job);
      long[] second = {100};
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                // Twenty records in a second of event time here, one there.
                for (int i = 0; i < 5; i++, second[0]++) {
                  for (int record = 0; record < 20; record++) {
                    stream.sendLater(0, "S1", second[0] * 1_000 + record * 50L);
                  }
                  stream.sendLater(1, "S2", second[0] * 1_000);
                }
                stream.flush();
                assertThat(gauges.enumerator("recordsPerSecond")).isBetween(19.0, 23.0);
                assertThat(gauges.splits("outOfOrderness"))
                    .isEqualTo(Map.of(stream.split(0), 30_000.0, stream.split(1), 30_000.0));
              });
      assertThat(gauges.subtasks("observe", "tidekeeper_recordsPerSecond").values())
          .as("alone, the quiet one would be in the lower tier, also if the other was like it")
          .anyMatch(rate -> rate < 5);
      job.cancel();
    }
  }
}
