package io.tidekeeper.job.source;

import io.tidekeeper.job.backlog.ReadPositions;
import io.tidekeeper.job.backlog.SplitPosition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.flink.api.connector.source.SourceEvent;

/**
 * Tells the enumerator where a reader stands in its splits, where the source's backlog is asked.
 */
final class PositionReports {

  private final ReadPositions<?> positions;
  private final Duration interval;
  private final Consumer<SourceEvent> enumerator;
  private final LongSupplier nanoClock;
  private List<SplitPosition> told = List.of();
  private boolean looked;
  private long lastLook;

  /**
   * @param interval from one report to the next; none is sent while nothing has changed
   * @param nanoClock a steady clock in nanoseconds, from any origin
   */
  PositionReports(
      ReadPositions<?> positions,
      Duration interval,
      Consumer<SourceEvent> enumerator,
      LongSupplier nanoClock) {
    this.positions = positions;
    this.interval = interval;
    this.enumerator = enumerator;
    this.nanoClock = nanoClock;
  }

  /** Of a source that nobody asks. */
  static PositionReports none() {
    return new PositionReports(
        ReadPositions.none(), Duration.ofNanos(Long.MAX_VALUE), event -> {}, () -> 0);
  }

  /** Whether the reader still stands there. */
  boolean standsAt(String splitId, long position) {
    SplitPosition now = positions.of(splitId);
    return now != null && now.position() == position;
  }

  /** Sends a report when one is due. */
  void maySend(Collection<SplitTracker> splits) {
    long now = nanoClock.getAsLong();
    if (looked && now - lastLook < interval.toNanos()) {
      return;
    }
    looked = true;
    lastLook = now;
    send(splits);
  }

  /** Sends a report at once: a split has ended, and with the last one the cycles end, too. */
  void send(Collection<SplitTracker> splits) {
    List<SplitPosition> now = new ArrayList<>(splits.size());
    for (SplitTracker split : splits) {
      SplitPosition position = positions.of(split.splitId());
      if (position != null) {
        now.add(position);
      }
    }
    if (!now.equals(told)) {
      told = now;
      enumerator.accept(new ExchangeEvent.PositionReport(now));
    }
  }
}
