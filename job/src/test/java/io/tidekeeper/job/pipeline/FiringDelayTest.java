package io.tidekeeper.job.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.Test;

class FiringDelayTest {

  private final FiringDelay delay = new FiringDelay(new UnregisteredMetricsGroup(), () -> 100_000);

  @Test
  void theDelayIsThatOfTheLastWindowAndNeverBelowZero() {
    assertThat(delay.millis()).as("none has fired").isEqualTo(-1);
    delay.fired(90_000);
    assertThat(delay.millis()).isEqualTo(10_000);
    delay.fired(99_999);
    assertThat(delay.millis()).isEqualTo(1);
    delay.fired(100_001);
    assertThat(delay.millis()).as("its records are ahead of the clock").isZero();
    delay.fired(Long.MIN_VALUE + 1);
    assertThat(delay.millis()).isEqualTo(Long.MAX_VALUE);
  }
}
