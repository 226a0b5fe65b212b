package io.tidekeeper.job.watermark;

import java.io.Serializable;

/**
 * The clock a record's event time is judged against when {@code max-future-skew} is set.
 *
 * @param <T> records
 */
@FunctionalInterface
public interface ReferenceTime<T> extends Serializable {

  /** Judge this record by the wall clock of the machine that reads it. */
  long WALL_CLOCK = Long.MIN_VALUE;

  /**
   * Milliseconds since the epoch, UTC, at which a trustworthy clock saw the record: the broker's,
   * when its topic stamps records as they are appended. {@link #WALL_CLOCK} where there is none.
   */
  long of(T element);
}
