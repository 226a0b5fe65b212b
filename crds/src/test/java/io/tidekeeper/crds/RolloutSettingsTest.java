package io.tidekeeper.crds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RolloutSettingsTest {

  @Test
  void an_absent_block_and_an_empty_one_with_a_mode_are_the_defaults() {
    RolloutSpec empty =
        new RolloutSpec(RolloutMode.Auto, null, null, null, null, null, null, null, null);
    assertThat(RolloutSettings.of(null)).isEqualTo(RolloutSettings.DEFAULTS);
    assertThat(RolloutSettings.of(empty)).isEqualTo(RolloutSettings.DEFAULTS);
  }

  @Test
  void every_value_is_taken() {
    RolloutSpec spec =
        new RolloutSpec(
            RolloutMode.DryRun,
            true,
            "1m",
            "2m",
            "3m",
            "4m",
            false,
            new AbortWhenSpec("0.05%"),
            OnDelete.Keep);
    assertThat(RolloutSettings.of(spec))
        .isEqualTo(
            new RolloutSettings(
                RolloutMode.DryRun,
                true,
                Duration.ofMinutes(1),
                Duration.ofMinutes(2),
                Duration.ofMinutes(3),
                Duration.ofMinutes(4),
                false,
                Percent.parse("0.05%")));
  }

  @Test
  void a_share_is_compared_exactly() {
    Percent one = Percent.parse("1%");
    assertThat(one.isBelow(10, 1000)).as("exactly 1%").isFalse();
    assertThat(one.isBelow(11, 1000)).isTrue();
    assertThat(one.isBelow(0, 0)).as("of nothing").isFalse();
    assertThat(Percent.parse("1.50%")).isEqualTo(Percent.parse("1.5%")).hasToString("1.5%");
    assertThatThrownBy(() -> Percent.parse("101%")).hasMessageContaining("0% to 100%");
    assertThatThrownBy(() -> Percent.parse("1")).hasMessageContaining("like 1% or 0.05%");
  }
}
