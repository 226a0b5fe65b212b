package io.tidekeeper.policy;

/** Over what {@link Adaptive} keeps the late share. The names are those of options and YAML. */
public enum LateShareOver {
  /** Over the stream as a whole, at the lowest delay: busy hours may be late more often. */
  WholeStream,
  /** In each hour of the day. */
  EachHour
}
