package io.tidekeeper.job.backlog;

import java.io.Serializable;
import org.apache.flink.api.connector.source.SourceSplit;

/**
 * How to learn what the splits of a source still hold. A source without one has no backlog to show.
 *
 * @param <SplitT> splits of the source
 */
public interface BacklogProbe<SplitT extends SourceSplit> extends Serializable {

  /** Where one reader stands in its splits; asked by the thread of its task. */
  ReadPositions<SplitT> positions();

  /** The other side; asked by one thread of the JobManager. It connects with the first question. */
  BrokerSide connect();
}
