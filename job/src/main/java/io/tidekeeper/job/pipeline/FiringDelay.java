package io.tidekeeper.job.pipeline;

import io.tidekeeper.job.metric.JobMetric;
import io.tidekeeper.policy.watermark.Millis;
import java.util.function.LongSupplier;
import org.apache.flink.metrics.MetricGroup;

/**
 * How old windows are when they fire: the wall clock minus their end. The watermark that fires a
 * window is past its end by next to nothing, whatever waits there were before; this has them all.
 *
 * <p>Written by one thread; any thread may ask.
 */
final class FiringDelay {

  /** Shown before the first window has fired. */
  static final long NONE = -1;

  private final LongSupplier wallClock;
  private volatile long millis = NONE;

  /**
   * @param operatorGroup where it is exported, the window operator's
   * @param wallClock milliseconds since the epoch
   */
  FiringDelay(MetricGroup operatorGroup, LongSupplier wallClock) {
    this.wallClock = wallClock;
    JobMetric.FIRING_DELAY.gauge(operatorGroup, this::millis);
  }

  /** The delay of the last window that fired, in milliseconds; {@link #NONE} before the first. */
  long millis() {
    return millis;
  }

  /**
   * A window fires.
   *
   * @param end its end, exclusive, milliseconds since the epoch
   */
  void fired(long end) {
    millis = Millis.behind(end, wallClock.getAsLong());
  }
}
