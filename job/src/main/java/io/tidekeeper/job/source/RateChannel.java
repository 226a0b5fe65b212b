package io.tidekeeper.job.source;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Adds up what the readers of a source measure, and tells each what the others do together. For the
 * coordinator thread only.
 */
final class RateChannel {

  /** A change that no tier is worth an event for. */
  private static final double NEGLIGIBLE = 0.05;

  private final Readers readers;
  private final EnumeratorGauges gauges;
  private final Map<Integer, Double> rates = new HashMap<>();
  private final Map<Integer, Double> told = new HashMap<>();

  RateChannel(Readers readers, EnumeratorGauges gauges) {
    this.readers = readers;
    this.gauges = gauges;
  }

  /** The subtask starts or restarts: it has measured nothing and been told nothing. */
  void forget(int subtask) {
    rates.remove(subtask);
    told.remove(subtask);
  }

  /**
   * What a reader measures.
   *
   * @param recordsPerSecond records per second of event time, {@code NaN} when its strategy does
   *     not ask for rates
   */
  void reported(int subtask, double recordsPerSecond) {
    if (Double.isNaN(recordsPerSecond)) {
      forget(subtask);
      return;
    }
    rates.put(subtask, recordsPerSecond);
    double all = rates.values().stream().mapToDouble(Double::doubleValue).sum();
    gauges.recordsPerSecond(all);
    Set<Integer> there = readers.registered();
    if (there.size() < readers.parallelism() || !rates.keySet().containsAll(there)) {
      // Half a sum is worse than none: a reader without one takes the others to be like itself.
      return;
    }
    for (int reader : there) {
      double others = Math.max(0, all - rates.getOrDefault(reader, 0.0));
      Double before = told.get(reader);
      if ((before == null || differs(before, others))
          && readers.send(reader, new ExchangeEvent.OthersRate(others))) {
        told.put(reader, others);
      }
    }
  }

  private static boolean differs(double before, double now) {
    return Math.abs(before - now) > NEGLIGIBLE * Math.max(before, now);
  }
}
