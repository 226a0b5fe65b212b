package io.tidekeeper.policy;

import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;

/**
 * Watermark alignment of sources within one job.
 *
 * @param group sources with the same group are aligned; 1 to 63 of {@code a-z A-Z 0-9 . _ -}, not
 *     the literal {@code none}
 * @param maxDrift how far a partition may be ahead of the group's slowest, 1ms to 365 days
 * @param updateInterval how often readers report, 1ms to 1h
 * @param onExceeded what happens when the drift is exceeded
 */
public record AlignmentSettings(
    String group, Duration maxDrift, Duration updateInterval, OnExceeded onExceeded)
    implements Serializable {

  /**
   * @throws IllegalArgumentException if the group is not a legal name or a duration is out of range
   */
  public AlignmentSettings {
    if (!Names.isAlignmentGroup(group)) {
      throw new IllegalArgumentException(
          PolicyOption.ALIGNMENT_GROUP.key()
              + " must be "
              + PolicyOption.ALIGNMENT_GROUP.allowed());
    }
    PolicyOption.ALIGNMENT_MAX_DRIFT.require(maxDrift);
    PolicyOption.ALIGNMENT_UPDATE_INTERVAL.require(updateInterval);
    Objects.requireNonNull(onExceeded);
  }
}
