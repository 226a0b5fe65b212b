package io.tidekeeper.job.backlog;

import java.io.Serializable;

/**
 * Where a reader stands in a split.
 *
 * @param splitId as its source names it, {@code topic-partition} for Kafka
 * @param position the offset of the record it reads next; below 0 a marker of the source that only
 *     its {@link BrokerSide} can resolve, such as "from the earliest"
 * @param stop the offset before which it stops for good, {@code Long.MAX_VALUE} for never
 */
public record SplitPosition(String splitId, long position, long stop) implements Serializable {

  private static final long serialVersionUID = 1L;
}
