package io.tidekeeper.controller.reconcile;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Which passes are at work, and since when: one that never ends is seen from outside. */
final class RunningPasses {

  private final Clock clock;
  private final Map<ResourceID, Instant> since = new ConcurrentHashMap<>();

  RunningPasses(Clock clock) {
    this.clock = clock;
  }

  /** Runs a pass; there is one for each policy at a time. */
  <T> T during(ResourceID policy, Supplier<T> pass) {
    since.put(policy, clock.instant());
    try {
      return pass.get();
    } finally {
      since.remove(policy);
    }
  }

  /** For how long the oldest has been at work; zero when there is none. */
  Duration longest(Instant now) {
    return since.values().stream()
        .map(start -> Duration.between(start, now))
        .max(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }
}
