package io.tidekeeper.crds;

/** How out-of-orderness is determined; all but Monotonous and None have a member of their name. */
public enum WatermarkType {
  /** A constant. */
  Bounded,
  /** By time of day and day of week. */
  Schedule,
  /** Records are in order. */
  Monotonous,
  /** No watermarks. */
  None,
  /** Records carry watermarks. */
  Punctuated,
  /** By the rate of the source. */
  Throughput,
  /** By the lateness observed lately. */
  Quantile,
  /** The smallest that keeps a share of late records. */
  Adaptive
}
