package io.tidekeeper.policy;

/**
 * What happens when partitions drift further apart than allowed. The names are those of options and
 * YAML.
 */
public enum OnExceeded {
  /**
   * The leading partitions are paused until the slowest catches up; with a time in {@link
   * AlignmentSettings#skipAfter} they wait at most so long, then the slowest is skipped. The
   * default.
   */
  PauseLeaders,
  /** Nothing is paused and nothing is skipped; drift is measured and alerts fire. */
  AlertOnly,
  /**
   * Nothing is paused; a partition that stays behind for {@link AlignmentSettings#skipAfter} is
   * left out of the watermark until it has caught up.
   */
  SkipLaggard
}
