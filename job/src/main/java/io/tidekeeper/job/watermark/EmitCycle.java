package io.tidekeeper.job.watermark;

import java.io.Serializable;
import java.time.Duration;

/**
 * Flink has one emit interval for a whole job. It is the smallest that any source asks for; a
 * source that asks for a longer one emits at every n-th cycle.
 */
public final class EmitCycle implements Serializable {

  private static final long serialVersionUID = 1L;

  private long intervalMillis;

  /** Starts without any source. */
  public EmitCycle() {
    this.intervalMillis = Long.MAX_VALUE;
  }

  /** Takes a source's interval in; returns the job's interval so far. */
  public Duration include(Duration sourceInterval) {
    intervalMillis = Math.min(intervalMillis, sourceInterval.toMillis());
    return Duration.ofMillis(intervalMillis);
  }

  /** At least 1: how many cycles of the job make up one interval of the source. */
  int cyclesPer(Duration sourceInterval) {
    return (int) Math.max(1, Math.round(sourceInterval.toMillis() / (double) intervalMillis));
  }
}
