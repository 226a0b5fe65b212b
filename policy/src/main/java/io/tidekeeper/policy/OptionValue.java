package io.tidekeeper.policy;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What an option accepts: its unit and range as a person reads them, and for durations the bounds.
 */
record OptionValue(
    String unit, String allowed, @Nullable Duration minimum, @Nullable Duration maximum) {

  static OptionValue duration(String minimum, String maximum) {
    return new OptionValue(
        "duration",
        "a duration from " + minimum + " to " + maximum,
        Durations.parse(minimum),
        Durations.parse(maximum));
  }

  static OptionValue oneOf(String... names) {
    return new OptionValue("name", "one of " + String.join(", ", names), null, null);
  }

  static OptionValue text(String unit, String allowed) {
    return new OptionValue(unit, allowed, null, null);
  }
}
