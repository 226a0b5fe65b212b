package io.tidekeeper.policy;

import java.time.Duration;

/**
 * The same out-of-orderness always.
 *
 * @param maxOutOfOrderness 0s to 7 days; 0s means the same as {@link Monotonous}
 */
public record Bounded(Duration maxOutOfOrderness) implements OutOfOrderness {

  /**
   * @throws IllegalArgumentException if the value is out of range
   */
  public Bounded {
    PolicyOption.BOUNDED_MAX_OUT_OF_ORDERNESS.require(maxOutOfOrderness);
  }

  @Override
  public String typeName() {
    return "Bounded";
  }
}
