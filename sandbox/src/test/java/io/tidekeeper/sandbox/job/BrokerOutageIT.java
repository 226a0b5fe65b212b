package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidekeeper.sandbox.flink.JobRef;
import java.time.Duration;
import org.apache.flink.api.common.JobStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Kafka goes away under load and comes back. */
@ExtendWith(Lab.PerClass.class)
class BrokerOutageIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** At 200 trips a second: more than five seconds. */
  private static final int TRIPS_IN_THE_OUTAGE = 1_200;

  @Test
  void theJobGoesOnByItselfAndTheAccountIsExact(Lab lab) {
    try (Stream stream = lab.stream(2)) {
      JobRef job = lab.flink.submit(stream.job(Stream.bounded("2s"), 2), null);
      Load load = new Load(stream);
      load.steadily(
          () -> {
            await().atMost(PATIENCE).until(() -> !stream.committedResults().isEmpty());
            lab.broker.stop();
            long before = load.sent();
            await().atMost(PATIENCE).until(() -> load.sent() > before + TRIPS_IN_THE_OUTAGE);
            lab.broker.restart();
          },
          0,
          1);
      load.closeWindows(2);
      await().atMost(PATIENCE).untilAsserted(() -> load.assertExact(1));
      assertThat(job.status()).isEqualTo(JobStatus.RUNNING);
      job.cancel();
    }
  }
}
