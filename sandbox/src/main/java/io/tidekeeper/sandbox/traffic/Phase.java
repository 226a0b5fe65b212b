package io.tidekeeper.sandbox.traffic;

import java.time.Duration;
import java.util.Map;

/**
 * A stretch of traffic.
 *
 * @param name unique within a plan
 * @param wall how long it takes on the wall clock, more than zero
 * @param recordsPerSecond how many records a second of wall time over all partitions, at least 1
 * @param usual how a partition behaves
 * @param exceptions partitions that behave otherwise, by number
 */
public record Phase(
    String name,
    Duration wall,
    int recordsPerSecond,
    Behaviour usual,
    Map<Integer, Behaviour> exceptions) {

  /** Checks the ranges and copies the exceptions. */
  public Phase {
    if (wall.isNegative() || wall.isZero() || recordsPerSecond < 1) {
      throw new IllegalArgumentException(
          "phase '%s' wants a duration and a rate above zero, not %s and %d"
              .formatted(name, wall, recordsPerSecond));
    }
    exceptions = Map.copyOf(exceptions);
  }

  /** A phase in which every partition behaves alike. */
  public Phase(String name, Duration wall, int recordsPerSecond, Behaviour usual) {
    this(name, wall, recordsPerSecond, usual, Map.of());
  }

  /** How a partition behaves in this phase. */
  public Behaviour behaviour(int partition) {
    return exceptions.getOrDefault(partition, usual);
  }

  /** How many records the phase has. */
  public long records() {
    return Math.round(recordsPerSecond * (wall.toNanos() / 1e9));
  }
}
