package io.tidekeeper.job.watermark;

import io.tidekeeper.job.source.SourceSubtask;
import io.tidekeeper.job.source.SourceSubtask.SplitSlot;
import io.tidekeeper.job.source.SplitTracker;
import io.tidekeeper.policy.SourceSettings;
import io.tidekeeper.policy.watermark.IdleTimer;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.util.clock.RelativeClock;
import org.jspecify.annotations.Nullable;

/** A thin host around the pure trackers: asks them at each emit cycle and tells Flink. */
final class PolicyGenerator<T> implements WatermarkGenerator<T> {

  /**
   * How long a subtask without any split waits before it stops holding back the others, where the
   * policy sets no idle timeout. Longer than a source takes to hand out its splits at the start.
   */
  static final Duration NO_SPLIT_TIMEOUT = Duration.ofSeconds(10);

  private final SourceSubtask subtask;
  private final SplitSlot slot;
  private final RelativeClock activityClock;
  private final LongSupplier wallClock;
  private final int cyclesPerEmission;
  private SourceSettings settings;
  private final long everyRecords;
  private final IdleTimer noSplitTimer;

  private @Nullable IdleTimer idleTimer;
  private long records;
  private long recordsAtEmission;
  private long nextLook = 1;
  private int cycle;
  private boolean quiet;
  private StandIn standIn = StandIn.NONE;

  /**
   * @param activityClock stands still while the split is paused by alignment or back-pressured, so
   *     that neither counts as silence
   * @param cyclesPerEmission emit at every n-th call of Flink's
   */
  PolicyGenerator(
      SourceSubtask subtask,
      RelativeClock activityClock,
      LongSupplier wallClock,
      int cyclesPerEmission) {
    this.settings = subtask.settings();
    Integer count = settings.emitEveryRecords();
    this.everyRecords = count == null ? Long.MAX_VALUE : count;
    this.subtask = subtask;
    this.slot = subtask.generatorCreated();
    this.activityClock = activityClock;
    this.wallClock = wallClock;
    this.cyclesPerEmission = cyclesPerEmission;
    this.noSplitTimer =
        new IdleTimer(settings.idleTimeout() == null ? NO_SPLIT_TIMEOUT : settings.idleTimeout());
  }

  @Override
  public void onEvent(T event, long eventTimestamp, WatermarkOutput output) {
    if (++records >= nextLook) {
      look(output);
    }
  }

  /** What has to be done at the first record, and then at every so many. */
  private void look(WatermarkOutput output) {
    if (records == 1) {
      subtask.verify(slot);
    }
    if (sinceEmission() >= everyRecords && !subtask.awaitsPolicy()) {
      // Verified above: this is the split that speaks.
      SplitTracker split = subtask.current();
      split.setIdle(false);
      boolean leftOut = settle(split, output);
      emit(split, leftOut, output);
    }
    nextLook = records + Math.max(1, everyRecords - sinceEmission());
  }

  private long sinceEmission() {
    return records - recordsAtEmission;
  }

  @Override
  public void onPeriodicEmit(WatermarkOutput output) {
    if (++cycle < cyclesPerEmission) {
      return;
    }
    cycle = 0;
    SplitTracker split = slot.split();
    if (split == null) {
      return;
    }
    boolean main = subtask.isMainOutput(split);
    if (main) {
      // Flink asks it after those of the splits.
      subtask.onCycle();
    }
    if (subtask.awaitsPolicy()) {
      return;
    }
    if (main && records == 0) {
      // Nobody writes to the main output of a source with splits. It must stay silent, because even
      // one watermark would make it count; but it alone can speak for a subtask without splits.
      speakForSubtask(output);
      return;
    }
    boolean byCount = everyRecords != Long.MAX_VALUE;
    boolean idle =
        idleTimer(split).isIdle(records, activityClock.relativeTimeNanos())
            && !subtask.hasUnread(split);
    if (idle && !split.isIdle() && byCount && sinceEmission() > 0) {
      // What the last records brought is not kept back until the partition speaks again.
      emit(split, quiet, output);
    }
    split.setIdle(idle);
    boolean leftOut = settle(split, output);
    if (idle || (byCount && !leftOut)) {
      return;
    }
    // Of a skipped split too, so that it can be seen to catch up.
    emit(split, leftOut, output);
  }

  /** Tells Flink whether the split counts, where that has changed; returns whether it does not. */
  private boolean settle(SplitTracker split, WatermarkOutput output) {
    // Flink never resumes a paused split that was marked idle meanwhile; a paused one leads anyway.
    boolean leftOut = split.isIdle() || (split.isSkipped() && !split.isPaused());
    if (leftOut != quiet) {
      quiet = leftOut;
      if (leftOut) {
        output.markIdle();
      } else {
        output.markActive();
      }
    }
    return leftOut;
  }

  private void emit(SplitTracker split, boolean leftOut, WatermarkOutput output) {
    recordsAtEmission = records;
    long watermark = split.advance(wallClock.getAsLong());
    if (!leftOut && watermark != Long.MIN_VALUE) {
      output.emitWatermark(new Watermark(watermark));
    }
  }

  /** Which split this is for is not known at first, and a live change may bring another timeout. */
  private IdleTimer idleTimer(SplitTracker split) {
    SourceSettings now = subtask.settings();
    if (idleTimer == null) {
      idleTimer = new IdleTimer(now.idleTimeoutFor(split.splitId()));
    } else if (!now.equals(settings)) {
      idleTimer.timeout(now.idleTimeoutFor(split.splitId()));
    }
    settings = now;
    return idleTimer;
  }

  private void speakForSubtask(WatermarkOutput output) {
    if (subtask.hasNoSplits()) {
      if (noSplitTimer.isIdle(0, activityClock.relativeTimeNanos())) {
        output.markIdle();
        standIn = StandIn.IDLE;
      }
    } else if (standIn == StandIn.IDLE) {
      // Flink would leave the subtask idle until the first watermark of its new splits, and the
      // watermark of other subtasks could run away from records that are just being fetched.
      output.markActive();
      standIn = StandIn.ACTIVE;
    } else if (standIn == StandIn.ACTIVE && subtask.everySplitHasSpokenOrIsIdle()) {
      // From here on the splits speak for themselves.
      output.markIdle();
      standIn = StandIn.NONE;
    }
  }

  /** What the main output has said in place of splits. */
  private enum StandIn {
    NONE,
    IDLE,
    ACTIVE
  }
}
