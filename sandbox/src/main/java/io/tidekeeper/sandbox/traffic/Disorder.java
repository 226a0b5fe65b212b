package io.tidekeeper.sandbox.traffic;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How far records lie behind the front of their partition's event time, in event time.
 *
 * @param usual most records lie less than this behind
 * @param max no record lies this far behind or farther; at least {@code usual}
 * @param tailShare the share, 0 to 1, of records between {@code usual} and {@code max} behind
 */
public record Disorder(Duration usual, Duration max, double tailShare) {
  /** Everything in order. */
  public static final Disorder NONE = new Disorder(Duration.ZERO, Duration.ZERO, 0);

  /** Checks the ranges. */
  public Disorder {
    if (usual.isNegative() || max.compareTo(usual) < 0 || !(tailShare >= 0 && tailShare <= 1)) {
      throw new IllegalArgumentException(
          "disorder wants 0 <= usual <= max and a tail share of 0 to 1, not %s, %s and %s"
              .formatted(usual, max, tailShare));
    }
  }

  /** Evenly spread from 0 up to {@code max}. */
  public static Disorder upTo(Duration max) {
    return new Disorder(max, max, 0);
  }

  /** Draws how far the next record lies behind, in milliseconds. */
  long draw(RandomGenerator random) {
    double fraction = random.nextDouble();
    if (tailShare > 0 && random.nextDouble() < tailShare) {
      return usual.toMillis() + (long) (fraction * (max.toMillis() - usual.toMillis()));
    }
    return (long) (fraction * usual.toMillis());
  }
}
