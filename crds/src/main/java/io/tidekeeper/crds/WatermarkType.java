package io.tidekeeper.crds;

/** How out-of-orderness is determined; Bounded and Schedule have a member of their name. */
public enum WatermarkType {
  /** A constant. */
  Bounded,
  /** By time of day and day of week. */
  Schedule,
  /** Records are in order. */
  Monotonous,
  /** No watermarks. */
  None
}
