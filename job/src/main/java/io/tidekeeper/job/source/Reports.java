package io.tidekeeper.job.source;

import io.tidekeeper.job.align.SplitObservation;
import io.tidekeeper.job.source.ExchangeEvent.RateReport;
import io.tidekeeper.job.source.ExchangeEvent.SplitReport;
import io.tidekeeper.policy.AlignmentSettings;
import io.tidekeeper.policy.NoWatermarks;
import io.tidekeeper.policy.SourceSettings;
import io.tidekeeper.policy.Throughput;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.flink.api.connector.source.SourceEvent;

/**
 * Tells the enumerator every alignment interval what the splits of a reader are doing. Flink's own
 * reports speak for whole subtasks, and only where leaders are paused.
 */
final class Reports {

  /** Rates are measured over seconds of event time at least; more often tells nothing new. */
  private static final long RATE_INTERVAL_NANOS = 1_000_000_000;

  private final Consumer<SourceEvent> enumerator;
  private final LongSupplier nanoClock;
  private boolean reported;
  private long lastReport;
  private boolean toldRate;
  private long lastRate;

  /**
   * @param nanoClock a steady clock in nanoseconds, from any origin
   */
  Reports(Consumer<SourceEvent> enumerator, LongSupplier nanoClock) {
    this.enumerator = enumerator;
    this.nanoClock = nanoClock;
  }

  /**
   * Tells the rate under Throughput when that is due.
   *
   * @param recordsPerSecond what this reader measures, per second of event time
   */
  void mayTellRate(SourceSettings settings, double recordsPerSecond) {
    if (!(settings.outOfOrderness() instanceof Throughput)) {
      return;
    }
    long now = nanoClock.getAsLong();
    if (!toldRate || now - lastRate >= RATE_INTERVAL_NANOS) {
      toldRate = true;
      lastRate = now;
      enumerator.accept(new RateReport(recordsPerSecond));
    }
  }

  /** Sends a report when one is due. */
  void maySend(SourceSettings settings, Collection<SplitTracker> splits) {
    AlignmentSettings alignment = settings.alignment();
    if (alignment == null || !speaks(settings)) {
      return;
    }
    long now = nanoClock.getAsLong();
    if (reported && now - lastReport < alignment.updateInterval().toNanos()) {
      return;
    }
    reported = true;
    lastReport = now;
    send(splits);
  }

  /** Sends a report at once: a split has ended, and with the last one the cycles end, too. */
  void splitEnded(SourceSettings settings, Collection<SplitTracker> splits) {
    if (settings.alignment() != null && speaks(settings)) {
      send(splits);
    }
  }

  /** A source that means to have no watermarks is nobody's laggard. */
  private static boolean speaks(SourceSettings settings) {
    return !(settings.outOfOrderness() instanceof NoWatermarks);
  }

  private void send(Collection<SplitTracker> splits) {
    List<SplitObservation> observed = new ArrayList<>(splits.size());
    for (SplitTracker split : splits) {
      observed.add(
          new SplitObservation(
              split.splitId(),
              split.tracker().watermark(),
              split.tracker().maxEventTime(),
              split.tracker().records(),
              split.state()));
    }
    enumerator.accept(new SplitReport(observed));
  }
}
