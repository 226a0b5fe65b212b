package io.tidekeeper.policy;

import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What an option accepts: its unit and range as a person reads them, and the bounds of durations
 * and numbers.
 */
record OptionValue(
    String unit,
    String allowed,
    @Nullable Duration minimum,
    @Nullable Duration maximum,
    @Nullable BigDecimal least,
    @Nullable BigDecimal most) {

  static OptionValue duration(String minimum, String maximum) {
    return new OptionValue(
        "duration",
        "a duration from " + minimum + " to " + maximum,
        Durations.parse(minimum),
        Durations.parse(maximum),
        null,
        null);
  }

  static OptionValue oneOf(String... names) {
    return text("name", "one of " + String.join(", ", names));
  }

  static OptionValue text(String unit, String allowed) {
    return new OptionValue(unit, allowed, null, null, null, null);
  }

  static OptionValue count(int least, int most) {
    return number("number", "a whole number from " + least + " to " + most, "" + least, "" + most);
  }

  static OptionValue decimal(String least, String most) {
    return number(
        "number",
        "a number from " + least + " to " + most + " with up to three decimals, like 1.5",
        least,
        most);
  }

  static OptionValue share(String least, String most) {
    return number(
        "share", "a share from " + least + "% to " + most + "%, like 1% or 0.05%", least, most);
  }

  private static OptionValue number(String unit, String allowed, String least, String most) {
    return new OptionValue(unit, allowed, null, null, new BigDecimal(least), new BigDecimal(most));
  }
}
