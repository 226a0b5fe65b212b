package io.tidekeeper.job.source;

import java.util.HashMap;
import java.util.Map;

/**
 * Adds up what the readers of a source measure, so that Throughput goes by the rate of the source
 * and not by that of the partitions a reader happens to have. For the coordinator thread only.
 *
 * <p>A reader that restarts keeps its last rate here until it measures again.
 */
final class RateChannel {

  private final Readers readers;
  private final Map<Integer, Double> rates = new HashMap<>();

  RateChannel(Readers readers) {
    this.readers = readers;
  }

  /**
   * Notes the rate of a reader, and answers it once every reader of the source has told its own.
   */
  void reported(int subtask, double recordsPerSecond) {
    rates.put(subtask, recordsPerSecond);
    if (rates.size() < readers.parallelism()) {
      return;
    }
    double others = 0;
    for (Map.Entry<Integer, Double> rate : rates.entrySet()) {
      others += rate.getKey() == subtask ? 0 : rate.getValue();
    }
    readers.send(subtask, new ExchangeEvent.RateOfOthers(others));
  }
}
