package io.tidekeeper.sandbox.demo;

/** Breaks one thing on purpose, to see the demo notice it. */
public enum Sabotage {
  /** Nothing is broken. */
  none,
  /** The job forgets its watermark at the savepoint, as Flink alone does. */
  no_watermark_restore,
  /** The account is shown all results but one. */
  drop_result,
  /** The account is shown one result twice. */
  double_result
}
