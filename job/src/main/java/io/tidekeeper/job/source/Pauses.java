package io.tidekeeper.job.source;

import java.time.Duration;
import java.util.function.LongSupplier;

/** How often and for how long alignment has paused a split. Any thread may ask. */
final class Pauses {

  private final LongSupplier nanoClock;
  private volatile boolean underWay;
  private long count;
  private long nanosBefore;
  private long since;

  /**
   * @param nanoClock a steady clock in nanoseconds, from any origin
   */
  Pauses(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** A pause begins or ends; to begin one that is under way changes nothing. */
  synchronized void underWay(boolean paused) {
    if (paused == underWay) {
      return;
    }
    long now = nanoClock.getAsLong();
    if (paused) {
      count++;
      since = now;
    } else {
      nanosBefore += now - since;
    }
    underWay = paused;
  }

  boolean underWay() {
    return underWay;
  }

  /** How many have begun. */
  synchronized long count() {
    return count;
  }

  /** How long all of them took in milliseconds, the one that is under way included. */
  long millis() {
    return Duration.ofNanos(nanos()).toMillis();
  }

  /** The same in nanoseconds. */
  synchronized long nanos() {
    long running = underWay ? nanoClock.getAsLong() - since : 0;
    return nanosBefore + running;
  }
}
