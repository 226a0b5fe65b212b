package io.tidekeeper.policy;

/**
 * What happens when partitions drift further apart than allowed. The names are those of options and
 * YAML.
 */
public enum OnExceeded {
  /** The leading partitions are paused until the slowest catches up. The default. */
  PauseLeaders,
  /** Nothing is paused; drift is measured and alerts fire. */
  AlertOnly,
  /** The slowest is left out of the watermark for a while; nothing is paused. */
  SkipLaggard
}
