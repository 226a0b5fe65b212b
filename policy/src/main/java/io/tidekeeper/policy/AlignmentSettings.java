package io.tidekeeper.policy;

import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Watermark alignment of sources within one job.
 *
 * @param group sources with the same group are aligned; 1 to 63 of {@code a-z A-Z 0-9 . _ -}, not
 *     the literal {@code none}
 * @param maxDrift how far a partition may be ahead of the group's slowest, 1ms to 365 days
 * @param updateInterval how often readers report, 1ms to 1h
 * @param onExceeded what happens when the drift is exceeded
 * @param skipAfter how long a partition may be too far behind before it is left out of the
 *     watermark, longer than the update interval and at most 365 days; set with {@link
 *     OnExceeded#SkipLaggard}, null with {@link OnExceeded#AlertOnly}, and null for never with
 *     {@link OnExceeded#PauseLeaders}
 */
public record AlignmentSettings(
    String group,
    Duration maxDrift,
    Duration updateInterval,
    OnExceeded onExceeded,
    @Nullable Duration skipAfter)
    implements Serializable {

  /** Alignment that skips nobody. */
  public AlignmentSettings(
      String group, Duration maxDrift, Duration updateInterval, OnExceeded onExceeded) {
    this(group, maxDrift, updateInterval, onExceeded, null);
  }

  /**
   * @throws IllegalArgumentException if the group is not a legal name, a duration is out of range,
   *     or the time after which to skip does not fit the rest
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
    if (skipAfter != null) {
      PolicyOption.ALIGNMENT_SKIP_AFTER.require(skipAfter);
    }
    String complaint = complaintAboutSkipAfter(updateInterval, onExceeded, skipAfter);
    if (complaint != null) {
      throw new IllegalArgumentException(PolicyOption.ALIGNMENT_SKIP_AFTER.key() + " " + complaint);
    }
  }

  /** Null when the time after which to skip fits the rest, else what is wrong with it. */
  static @Nullable String complaintAboutSkipAfter(
      Duration updateInterval, OnExceeded onExceeded, @Nullable Duration skipAfter) {
    if (onExceeded == OnExceeded.SkipLaggard && skipAfter == null) {
      return "is required with alignment.on-exceeded SkipLaggard: "
          + PolicyOption.ALIGNMENT_SKIP_AFTER.allowed();
    }
    if (onExceeded == OnExceeded.AlertOnly && skipAfter != null) {
      return "is not an option of alignment.on-exceeded AlertOnly, which skips nobody";
    }
    if (skipAfter != null && skipAfter.compareTo(updateInterval) <= 0) {
      return "must be longer than alignment.update-interval of " + Durations.format(updateInterval);
    }
    return null;
  }
}
