package io.tidekeeper.policy;

import java.time.Duration;
import java.util.Objects;

/**
 * The smallest out-of-orderness that keeps the share of late records where it is asked to be.
 *
 * <p>It is learned by hour of day and corrected by the share that is really late. The newest event
 * time of a partition is the median of its last nine records here, so that single clocks ahead of
 * time do no harm.
 *
 * @param lateShare the share of records that may be late, 0.01% to 20%
 * @param min lower limit, 0s to 7 days
 * @param max upper limit, 0s to 7 days
 * @param initial what holds at least until the stream's tail could be seen, within the limits.
 *     Delays longer than the stream's age cannot be known, so take the longest you expect
 * @param lateShareOver whether the share is kept over the stream or in each hour of the day
 */
public record Adaptive(
    Share lateShare, Duration min, Duration max, Duration initial, LateShareOver lateShareOver)
    implements OutOfOrderness {

  /**
   * @throws IllegalArgumentException if a value is out of range, {@code min} is above {@code max}
   *     or {@code initial} outside of them
   */
  public Adaptive {
    PolicyOption.ADAPTIVE_LATE_SHARE.require(lateShare.percent());
    PolicyOption.ADAPTIVE_MIN.require(min);
    PolicyOption.ADAPTIVE_MAX.require(max);
    PolicyOption.ADAPTIVE_INITIAL.require(initial);
    Limits.require(PolicyOption.ADAPTIVE_MIN, min, PolicyOption.ADAPTIVE_MAX, max);
    Limits.require(PolicyOption.ADAPTIVE_MIN, min, PolicyOption.ADAPTIVE_INITIAL, initial);
    Limits.require(PolicyOption.ADAPTIVE_INITIAL, initial, PolicyOption.ADAPTIVE_MAX, max);
    Objects.requireNonNull(lateShareOver);
  }

  @Override
  public String typeName() {
    return "Adaptive";
  }
}
