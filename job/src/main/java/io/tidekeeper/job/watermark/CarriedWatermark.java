package io.tidekeeper.job.watermark;

import io.tidekeeper.policy.watermark.PartitionTracker;
import java.io.Serializable;

/**
 * The watermark that a record carries under the strategy Punctuated.
 *
 * @param <T> records
 */
@FunctionalInterface
public interface CarriedWatermark<T> extends Serializable {

  /** Most records carry none. */
  long NONE = PartitionTracker.NO_WATERMARK;

  /**
   * Milliseconds since the epoch, UTC: nothing at or below it will follow in the record's
   * partition. {@link #NONE} where the record says nothing.
   */
  long of(T element);
}
