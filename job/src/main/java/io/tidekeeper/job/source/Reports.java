package io.tidekeeper.job.source;

import io.tidekeeper.job.align.SplitObservation;
import io.tidekeeper.job.source.ExchangeEvent.SplitReport;
import io.tidekeeper.policy.AlignmentSettings;
import io.tidekeeper.policy.NoWatermarks;
import io.tidekeeper.policy.SourceSettings;
import io.tidekeeper.policy.Throughput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.flink.api.connector.source.SourceEvent;
import org.jspecify.annotations.Nullable;

/**
 * Tells the enumerator what the splits of a reader are doing, where alignment or the strategy asks
 * for it. Flink's own reports speak for whole subtasks, and only where leaders are paused.
 */
final class Reports {

  /** How often rates are told where no alignment says. */
  private static final Duration OF_RATES = Duration.ofSeconds(1);

  private final Consumer<SourceEvent> enumerator;
  private final LongSupplier nanoClock;
  private boolean reported;
  private long lastReport;

  /**
   * @param nanoClock a steady clock in nanoseconds, from any origin
   */
  Reports(Consumer<SourceEvent> enumerator, LongSupplier nanoClock) {
    this.enumerator = enumerator;
    this.nanoClock = nanoClock;
  }

  /**
   * Sends a report when one is due.
   *
   * @param rate what the splits bring together, records per second of event time
   */
  void maySend(SourceSettings settings, Collection<SplitTracker> splits, double rate) {
    Duration interval = interval(settings);
    if (interval == null) {
      return;
    }
    long now = nanoClock.getAsLong();
    if (reported && now - lastReport < interval.toNanos()) {
      return;
    }
    reported = true;
    lastReport = now;
    send(settings, splits, rate);
  }

  /** Sends a report at once: a split has ended, and with the last one the cycles end, too. */
  void splitEnded(SourceSettings settings, Collection<SplitTracker> splits, double rate) {
    if (interval(settings) != null) {
      send(settings, splits, rate);
    }
  }

  /** Null when nobody asks. */
  private static @Nullable Duration interval(SourceSettings settings) {
    AlignmentSettings alignment = settings.alignment();
    if (alignment != null && !(settings.outOfOrderness() instanceof NoWatermarks)) {
      // A source that means to have no watermarks is nobody's laggard.
      return alignment.updateInterval();
    }
    return settings.outOfOrderness() instanceof Throughput ? OF_RATES : null;
  }

  private void send(SourceSettings settings, Collection<SplitTracker> splits, double rate) {
    List<SplitObservation> observed = new ArrayList<>(splits.size());
    for (SplitTracker split : splits) {
      observed.add(
          new SplitObservation(
              split.splitId(),
              split.tracker().watermark(),
              split.tracker().maxEventTime(),
              split.tracker().records(),
              split.state(),
              split.readNanos()));
    }
    enumerator.accept(
        new SplitReport(
            observed, settings.outOfOrderness() instanceof Throughput ? rate : Double.NaN));
  }
}
