package io.tidekeeper.job.source;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long ago the last record came, without reading a clock at each: somebody looks at the count
 * of records now and then. A record that has come since the last look is taken to be as old as that
 * look. So the age is never too low, which matters where emit cycles stop because the task is stuck
 * in its output: the last record came right before.
 *
 * <p>Any thread may look and ask.
 */
final class RecordAge {

  private final LongSupplier nanoClock;
  private long seen;
  private long lastLook;
  private long lastRecord;

  /**
   * @param nanoClock a steady clock in nanoseconds, from any origin
   */
  RecordAge(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.lastLook = nanoClock.getAsLong();
    this.lastRecord = lastLook;
  }

  /** Looks at how many records have come so far. */
  synchronized void look(long records) {
    if (records != seen) {
      seen = records;
      lastRecord = lastLook;
    }
    lastLook = nanoClock.getAsLong();
  }

  /** The age in milliseconds, or the time since the beginning while no record has come. */
  synchronized long millis(long records) {
    look(records);
    return Duration.ofNanos(lastLook - lastRecord).toMillis();
  }
}
