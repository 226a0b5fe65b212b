package io.tidekeeper.sandbox.demo;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Times of a status. */
final class Durations {

  private Durations() {}

  /**
   * How long something took.
   *
   * @param from RFC 3339, or null for unknown
   */
  static String between(@Nullable String from, String to) {
    return from == null
        ? "an unknown time"
        : "%.1f s"
            .formatted(Duration.between(Instant.parse(from), Instant.parse(to)).toMillis() / 1e3);
  }
}
