package io.tidekeeper.policy;

import java.io.Serializable;
import java.time.Duration;

/**
 * The out-of-orderness from a rate on.
 *
 * @param minRecordsPerSecond the lowest rate of the tier, 0 to 1,000,000,000
 * @param maxOutOfOrderness 0s to 7 days
 */
public record ThroughputTier(long minRecordsPerSecond, Duration maxOutOfOrderness)
    implements Serializable {

  static final long MAX_RATE = 1_000_000_000;

  /**
   * @throws IllegalArgumentException if a value is out of range
   */
  public ThroughputTier {
    if (minRecordsPerSecond < 0 || minRecordsPerSecond > MAX_RATE) {
      throw new IllegalArgumentException(
          "a tier starts at 0 to " + MAX_RATE + " records per second, not " + minRecordsPerSecond);
    }
    PolicyOption.BOUNDED_MAX_OUT_OF_ORDERNESS.require(maxOutOfOrderness);
  }
}
