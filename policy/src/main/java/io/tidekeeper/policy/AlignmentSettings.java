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
 * @param skipAfter how long it may be exceeded before the slowest partition is left out of the
 *     watermark, 1ms to 365 days, or null for never; set with {@link OnExceeded#SkipLaggard}, null
 *     with {@link OnExceeded#AlertOnly}
 */
public record AlignmentSettings(
    String group,
    Duration maxDrift,
    Duration updateInterval,
    OnExceeded onExceeded,
    @Nullable Duration skipAfter)
    implements Serializable {

  /**
   * @throws IllegalArgumentException if the group is not a legal name, a duration is out of range
   *     or a skip time does not fit to the reaction
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
    String complaint = skipComplaint(onExceeded, skipAfter != null);
    if (complaint != null) {
      throw new IllegalArgumentException(PolicyOption.ALIGNMENT_SKIP_AFTER.key() + " " + complaint);
    }
  }

  /** Alignment that leaves no partition out. */
  public AlignmentSettings(
      String group, Duration maxDrift, Duration updateInterval, OnExceeded onExceeded) {
    this(group, maxDrift, updateInterval, onExceeded, null);
  }

  /** Null when a skip time may be given, or left out, with this reaction. */
  static @Nullable String skipComplaint(OnExceeded onExceeded, boolean given) {
    if (onExceeded == OnExceeded.SkipLaggard && !given) {
      return "is required with alignment.on-exceeded SkipLaggard: "
          + PolicyOption.ALIGNMENT_SKIP_AFTER.allowed();
    }
    if (onExceeded == OnExceeded.AlertOnly && given) {
      return "is not allowed with alignment.on-exceeded AlertOnly, which leaves nothing out";
    }
    return null;
  }
}
