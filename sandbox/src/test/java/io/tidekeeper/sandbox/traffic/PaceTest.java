package io.tidekeeper.sandbox.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {
  @Test
  void goesWithTheWallClock() {
    Pace pace = new Pace(5_000);

    assertThat(pace.look(5_000)).isZero();
    assertThat(pace.look(50_005_000)).isEqualTo(50_000_000);
    assertThat(pace.look(80_005_000)).isEqualTo(80_000_000);
    assertThat(pace.stalledNanos()).isZero();
  }

  @Test
  void doesNotCatchUpAfterAStall() {
    Pace pace = new Pace(0);

    assertThat(pace.look(3_000_000_000L)).isEqualTo(Pace.MAX_STEP_NANOS);
    assertThat(pace.look(3_010_000_000L)).isEqualTo(Pace.MAX_STEP_NANOS + 10_000_000);
    assertThat(pace.stalledNanos()).isEqualTo(3_000_000_000L - Pace.MAX_STEP_NANOS);
  }
}
