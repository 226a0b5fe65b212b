package io.tidekeeper.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

  private static final long MAX_MILLIS = 365L * 86_400_000;

  @ParameterizedTest
  @CsvSource({
    "0s, 0, 0s",
    "0ms, 0, 0s",
    "200ms, 200, 200ms",
    "5s, 5000, 5s",
    "60s, 60000, 1m",
    "90s, 90000, 1m30s",
    "1m30s, 90000, 1m30s",
    "1h, 3600000, 1h",
    "1h2m3s4ms, 3723004, 1h2m3s4ms",
    "1m200ms, 60200, 1m200ms",
    "8760h, 31536000000, 8760h",
  })
  void spellingsAreReadAndCanonicallyWritten(String text, long millis, String canonical) {
    assertThat(Durations.parse(text)).isEqualTo(Duration.ofMillis(millis));
    assertThat(Durations.format(Duration.ofMillis(millis))).isEqualTo(canonical);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "5", "s", "5 s", "-5s", "5S", "1.5s", "5s1m", "5s5s", "1d", "PT5S", "٥s"})
  void whatIsNoDurationIsRefused(String text) {
    assertThatThrownBy(() -> Durations.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("like 1m30s or 200ms");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"8761h", "8760h1ms", "999999999999h999999999999m", "99999999999999999999999999s"})
  void whatIsTooLongIsRefusedWithoutOverflow(String text) {
    assertThatThrownBy(() -> Durations.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("8760h");
  }

  @Test
  void whatCannotBeSpelledIsNotWritten() {
    assertThatThrownBy(() -> Durations.format(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Durations.format(Durations.MAX.plusMillis(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Durations.format(Duration.ofNanos(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("milliseconds");
  }

  @Property
  void everyDurationIsReadBack(@ForAll @LongRange(min = 0, max = MAX_MILLIS) long millis) {
    Duration duration = Duration.ofMillis(millis);
    assertThat(Durations.parse(Durations.format(duration))).isEqualTo(duration);
  }
}
