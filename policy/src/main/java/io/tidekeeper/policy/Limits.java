package io.tidekeeper.policy;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Two durations of which one must not be above the other. */
final class Limits {

  private Limits() {}

  /** Null when {@code low} is not above {@code high}, else what is wrong with {@code low}. */
  static @Nullable String complaint(Duration low, PolicyOption highOption, Duration high) {
    return low.compareTo(high) <= 0
        ? null
        : "must not be above %s, which is %s".formatted(highOption.key(), Durations.format(high));
  }

  /**
   * @throws IllegalArgumentException if {@code low} is above {@code high}
   */
  static void require(
      PolicyOption lowOption, Duration low, PolicyOption highOption, Duration high) {
    String complaint = complaint(low, highOption, high);
    if (complaint != null) {
      throw new IllegalArgumentException(
          lowOption.key() + " " + complaint + ", not " + Durations.format(low));
    }
  }
}
