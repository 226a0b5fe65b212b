package io.tidekeeper.job.align;

import io.tidekeeper.policy.AlignmentSettings;
import java.time.Duration;

/**
 * When a source's splits are skipped.
 *
 * @param maxDriftMillis how far behind the group's furthest a split may be
 * @param skipAfterMillis how long it may be further behind before it is skipped; {@code
 *     Long.MAX_VALUE} for ever
 * @param backAfterMillis how long a skipped split must have been within the drift before it counts
 *     again
 */
record SkipRules(long maxDriftMillis, long skipAfterMillis, long backAfterMillis) {

  /** Long enough for a split that swings around the limit, short enough not to wait for it. */
  private static final Duration LONGEST_WAY_BACK = Duration.ofSeconds(30);

  static SkipRules of(AlignmentSettings alignment) {
    Duration skipAfter = alignment.skipAfter();
    if (skipAfter == null) {
      return new SkipRules(alignment.maxDrift().toMillis(), Long.MAX_VALUE, Long.MAX_VALUE);
    }
    Duration backAfter = skipAfter.compareTo(LONGEST_WAY_BACK) < 0 ? skipAfter : LONGEST_WAY_BACK;
    return new SkipRules(
        alignment.maxDrift().toMillis(), skipAfter.toMillis(), backAfter.toMillis());
  }
}
