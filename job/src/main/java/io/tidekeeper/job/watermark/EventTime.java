package io.tidekeeper.job.watermark;

import java.io.Serializable;

/**
 * The event time of a record.
 *
 * @param <T> records
 */
@FunctionalInterface
public interface EventTime<T> extends Serializable {

  /** Milliseconds since the epoch, UTC; {@link #NONE} for a record that carries none. */
  long of(T element);

  /** A record without a timestamp: it counts as activity and moves no watermark. */
  long NONE = Long.MIN_VALUE;
}
