package io.tidekeeper.controller.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class RunningPassesTest {

  private static final Instant NOW = Instant.parse("2026-01-05T06:00:00Z");
  private static final ResourceID POLICY = new ResourceID("policy", "transit");

  private final RunningPasses running = new RunningPasses(Clock.fixed(NOW, ZoneOffset.UTC));

  @Test
  void aPassIsSeenWhileItIsAtWork() {
    Duration during = running.during(POLICY, () -> running.longest(NOW.plusSeconds(90)));

    assertThat(during).isEqualTo(Duration.ofSeconds(90));
    assertThat(running.longest(NOW.plusSeconds(90))).isZero();
  }

  @Test
  void aPassThatFailsIsOverToo() {
    assertThatThrownBy(
            () ->
                running.during(
                    POLICY,
                    () -> {
                      throw new IllegalStateException("away");
                    }))
        .hasMessage("away");
    assertThat(running.longest(NOW.plusSeconds(90))).isZero();
  }
}
