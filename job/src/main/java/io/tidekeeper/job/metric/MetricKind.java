package io.tidekeeper.job.metric;

/** How a metric moves. Flink exports both as gauges. */
public enum MetricKind {
  /** What is at this moment. */
  VALUE,
  /**
   * It only grows, and starts anew with the subtask; take {@code increase} or {@code rate} of it.
   */
  TOTAL
}
