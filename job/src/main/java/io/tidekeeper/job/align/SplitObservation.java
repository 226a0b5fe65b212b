package io.tidekeeper.job.align;

import java.io.Serializable;

/**
 * What a reader says of one of its splits.
 *
 * @param splitId as its source names it, {@code topic-partition} for Kafka
 * @param watermark milliseconds since the epoch, {@code Long.MIN_VALUE} for none yet
 * @param maxEventTime milliseconds since the epoch, {@code Long.MIN_VALUE} before the first record
 * @param records how many records its subtask has read of it
 * @param state what it is doing
 * @param readNanos for how long its subtask has had it, pauses by alignment apart, in nanoseconds
 */
public record SplitObservation(
    String splitId,
    long watermark,
    long maxEventTime,
    long records,
    SplitState state,
    long readNanos)
    implements Serializable {

  private static final long serialVersionUID = 1L;

  /** Whether it is being read or would be, had alignment not paused it. */
  public boolean speaks() {
    return state == SplitState.ACTIVE || state == SplitState.PAUSED || state == SplitState.SKIPPED;
  }
}
