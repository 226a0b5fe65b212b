package io.tidekeeper.job.backlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.policy.Bounded;
import io.tidekeeper.policy.LateDataSettings;
import io.tidekeeper.policy.PartitionOverride;
import io.tidekeeper.policy.PartitionRange;
import io.tidekeeper.policy.SourceSettings;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BacklogPaceTest {

  @Test
  void theBrokerIsAskedSeveralTimesWithinAnIdleTimeout() {
    assertThat(BacklogPace.of(idleAfter(null, null))).isEqualTo(Duration.ofSeconds(5));
    assertThat(BacklogPace.of(idleAfter(Duration.ofMinutes(1), null)))
        .isEqualTo(Duration.ofSeconds(5));
    assertThat(BacklogPace.of(idleAfter(Duration.ofSeconds(3), null)))
        .isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void theShortestIdleTimeoutOfAnyPartitionCounts() {
    assertThat(BacklogPace.of(idleAfter(null, Duration.ofSeconds(6))))
        .isEqualTo(Duration.ofSeconds(1));
    assertThat(BacklogPace.of(idleAfter(Duration.ofSeconds(3), Duration.ofSeconds(6))))
        .isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void butNotMoreThanFiveTimesASecond() {
    assertThat(BacklogPace.of(idleAfter(Duration.ofMillis(1), null)))
        .isEqualTo(Duration.ofMillis(200));
  }

  private static SourceSettings idleAfter(
      @Nullable Duration timeout, @Nullable Duration ofPartitionThree) {
    List<PartitionOverride> overrides =
        ofPartitionThree == null
            ? List.of()
            : List.of(
                new PartitionOverride(
                    "three", "t", List.of(new PartitionRange(3, 3)), null, ofPartitionThree));
    return new SourceSettings(
        new Bounded(Duration.ofSeconds(5)),
        Duration.ofMillis(200),
        null,
        null,
        null,
        timeout,
        overrides,
        null,
        new LateDataSettings(Duration.ZERO, null));
  }
}
