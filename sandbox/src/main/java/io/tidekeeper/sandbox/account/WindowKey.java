package io.tidekeeper.sandbox.account;

import java.time.Duration;
import java.time.Instant;

/**
 * A ten-second window of one station, aligned to the epoch.
 *
 * @param start its first millisecond since the epoch, UTC
 */
record WindowKey(String station, long start) {
  static final long LENGTH_MILLIS = Duration.ofSeconds(10).toMillis();

  /** The window that holds this event time. */
  static WindowKey of(String station, long eventTime) {
    return new WindowKey(station, Math.floorDiv(eventTime, LENGTH_MILLIS) * LENGTH_MILLIS);
  }

  @Override
  public String toString() {
    return station + " " + Instant.ofEpochMilli(start);
  }
}
