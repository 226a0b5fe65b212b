package io.tidekeeper.job.source;

import io.tidekeeper.job.align.SplitObservation;
import io.tidekeeper.job.backlog.SplitPosition;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.connector.source.SourceEvent;

/**
 * What the readers of a source and its enumerator tell each other. Anything else that passes
 * between them belongs to the wrapped source.
 */
sealed interface ExchangeEvent extends SourceEvent {

  /** To a reader: run on this policy. */
  record UsePolicy(SourcePolicy policy) implements ExchangeEvent {
    private static final long serialVersionUID = 1L;
  }

  /** To a reader: there is nothing newer than the options of the job. */
  record UseOptions() implements ExchangeEvent {
    private static final long serialVersionUID = 1L;
  }

  /**
   * To a reader: leave exactly these of your splits out of the watermark.
   *
   * @param splitIds may be empty
   */
  record SkipSplits(List<String> splitIds) implements ExchangeEvent {
    private static final long serialVersionUID = 1L;
  }

  /**
   * To a reader: exactly these of your splits hold a record that you could read.
   *
   * @param positions where the reader stood in each of them when that was found; as soon as it
   *     stands elsewhere, nothing is said of the split any more. May be empty
   */
  record UnreadSplits(Map<String, Long> positions) implements ExchangeEvent {
    private static final long serialVersionUID = 1L;
  }

  /**
   * To a reader: what the other readers of its source measure together.
   *
   * @param recordsPerSecond records per second of event time, 0 or more
   */
  record OthersRate(double recordsPerSecond) implements ExchangeEvent {
    private static final long serialVersionUID = 1L;
  }

  /**
   * To the enumerator: what the splits of a reader are doing.
   *
   * @param splits all of them
   * @param recordsPerSecond what they bring together by event time, {@code NaN} when the strategy
   *     does not ask for rates
   */
  record SplitReport(List<SplitObservation> splits, double recordsPerSecond)
      implements ExchangeEvent {
    private static final long serialVersionUID = 1L;
  }

  /**
   * To the enumerator: where a reader stands.
   *
   * @param positions of all splits of which it knows that
   */
  record PositionReport(List<SplitPosition> positions) implements ExchangeEvent {
    private static final long serialVersionUID = 1L;
  }
}
