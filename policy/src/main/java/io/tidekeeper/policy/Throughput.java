package io.tidekeeper.policy;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/**
 * Out-of-orderness by the rate of the source: its records per second <em>of event time</em>, so
 * that catching up after a stop does not look like a peak.
 *
 * <p>A tier is left downwards only when the rate has fallen a tenth below its start, and not before
 * event time has moved on by the tier's own out-of-orderness: records of the busy time that are
 * still on their way keep it.
 *
 * @param window the stretch of event time a rate is measured over, 1s to 1h
 * @param tiers 1 to 16, no two from the same rate and one from rate 0. Their order means nothing,
 *     so they are kept sorted
 */
public record Throughput(Duration window, List<ThroughputTier> tiers) implements OutOfOrderness {

  static final int MAX_TIERS = 16;

  /**
   * @throws IllegalArgumentException if the window is out of range or the tiers do not fit together
   */
  public Throughput {
    PolicyOption.THROUGHPUT_WINDOW.require(window);
    tiers =
        tiers.stream()
            .sorted(Comparator.comparingLong(ThroughputTier::minRecordsPerSecond))
            .toList();
    List<String> complaints = TierText.complaintsAbout(tiers);
    if (!complaints.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", complaints));
    }
  }

  @Override
  public String typeName() {
    return "Throughput";
  }
}
