package io.tidekeeper.job.source;

import io.tidekeeper.job.align.SplitState;
import io.tidekeeper.policy.SourceSettings;
import io.tidekeeper.policy.watermark.Millis;
import io.tidekeeper.policy.watermark.PartitionTracker;
import io.tidekeeper.policy.watermark.SourceLearning;
import io.tidekeeper.policy.watermark.Verdict;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What one source subtask knows of one split (a Kafka partition): its event time, and the verdict
 * on the record that is being emitted right now. Written by the task's mailbox thread alone; the
 * metric thread reads, so the values it may ask for are volatile or plain longs that only grow.
 */
public final class SplitTracker {

  /** Split id of the output that belongs to no split. */
  static final String MAIN_OUTPUT = "";

  /** Stands for a time there is none of. */
  static final long NONE = -1;

  private final String splitId;
  private final PartitionTracker tracker;
  private final LongSupplier nanoClock;
  private final long assignedAt;
  private final Pauses pauses;
  private final RecordAge recordAge;
  private Verdict verdict = Verdict.NO_TIMESTAMP;

  private volatile boolean idle;
  private volatile boolean finished;
  private volatile boolean skipped;
  private @Nullable Long unreadAt;
  private long skippedBefore;
  private long recordsWhenSkipped;
  private final AtomicLong lateRecords = new AtomicLong();

  /**
   * @param learning what the splits of a source subtask learn together
   * @param nanoClock a steady clock in nanoseconds, from any origin
   */
  SplitTracker(
      String splitId, SourceSettings settings, SourceLearning learning, LongSupplier nanoClock) {
    this.splitId = splitId;
    this.nanoClock = nanoClock;
    this.assignedAt = nanoClock.getAsLong();
    this.pauses = new Pauses(nanoClock);
    this.recordAge = new RecordAge(nanoClock);
    this.tracker = new PartitionTracker(splitId, settings, learning);
  }

  /** The split's id as its source names it, {@code topic-partition} for Kafka. */
  public String splitId() {
    return splitId;
  }

  /** Event-time bookkeeping of this split. */
  public PartitionTracker tracker() {
    return tracker;
  }

  /**
   * Takes the next record in.
   *
   * @param timestamp event time, milliseconds since the epoch; {@code Long.MIN_VALUE} for none
   * @param reference the clock the timestamp is judged against, milliseconds since the epoch;
   *     {@link PartitionTracker#TRUSTED} where it has been judged
   * @param carried the watermark in the record, {@link PartitionTracker#NO_WATERMARK} for none
   */
  public void onRecord(long timestamp, long reference, long carried) {
    Verdict next = tracker.onRecord(timestamp, reference, carried);
    // Storing a reference costs the garbage collector's bookkeeping.
    if (next != verdict) {
      verdict = next;
    }
  }

  /** The verdict on the record that was taken in last. */
  public Verdict verdict() {
    return verdict;
  }

  /**
   * The watermark of this split now; never lower than the one returned before.
   *
   * @param now wall clock, milliseconds since the epoch
   * @return milliseconds since the epoch, {@code Long.MIN_VALUE} before the first record
   */
  public long advance(long now) {
    return tracker.advance(now);
  }

  /** Counts a record that arrived at or below the watermark its subtask had emitted. */
  void countLate() {
    lateRecords.setOpaque(lateRecords.getPlain() + 1);
  }

  /** Records so far that arrived at or below the watermark their subtask had emitted. */
  public long lateRecords() {
    return lateRecords.getOpaque();
  }

  public boolean isIdle() {
    return idle;
  }

  public void setIdle(boolean idle) {
    this.idle = idle;
    tracker.idle(idle);
  }

  public boolean isPaused() {
    return pauses.underWay();
  }

  void setPaused(boolean paused) {
    pauses.underWay(paused);
  }

  /** How often and for how long alignment has paused the split. */
  Pauses pauses() {
    return pauses;
  }

  /** For how long the subtask has had the split, pauses apart, in nanoseconds. */
  long readNanos() {
    return nanoClock.getAsLong() - assignedAt - pauses.nanos();
  }

  /** To be called at each emit cycle: what costs too much at each record is noted here. */
  void onCycle() {
    recordAge.look(tracker.records());
  }

  /**
   * How long ago the last record came, in milliseconds, at most one emit cycle too high; counted
   * from the split's assignment while none has come; {@link #NONE} once it has been read to its
   * end.
   */
  long millisSinceRecord() {
    return finished ? NONE : recordAge.millis(tracker.records());
  }

  /**
   * How far the watermark is behind, in milliseconds; 0 when it is ahead, {@link #NONE} while there
   * is none and once the split has been read to its end.
   *
   * @param now wall clock, milliseconds since the epoch
   */
  long watermarkLagMillis(long now) {
    return finished ? NONE : behind(tracker.watermark(), now);
  }

  /**
   * How far the newest timestamp was behind when the last record came, in milliseconds: what the
   * lag has of producers and of waiting in Kafka, and not of the bound, of a pause or of silence. 0
   * when it was ahead, {@link #NONE} before the first timestamp and once the split has been read to
   * its end.
   *
   * @param now wall clock, milliseconds since the epoch
   */
  long sourceDelayMillis(long now) {
    return finished ? NONE : behind(tracker.maxEventTime(), now - millisSinceRecord());
  }

  private static long behind(long time, long now) {
    return time == Long.MIN_VALUE ? NONE : Millis.behind(time, now);
  }

  public boolean isFinished() {
    return finished;
  }

  void finish() {
    finished = true;
    pauses.underWay(false);
    tracker.close();
  }

  /**
   * Where the reader stood when a record that it could read was found; null when none was, or
   * nobody looks.
   */
  @Nullable Long unreadAt() {
    return unreadAt;
  }

  void setUnreadAt(@Nullable Long position) {
    unreadAt = position;
  }

  /** Whether the split is to be left out of the watermark, because it is too far behind. */
  public boolean isSkipped() {
    return skipped;
  }

  /** Counts records by the difference, so that a record costs nothing for it. */
  synchronized void setSkipped(boolean skip) {
    if (skip == skipped) {
      return;
    }
    if (skip) {
      recordsWhenSkipped = tracker.records();
    } else {
      skippedBefore += tracker.records() - recordsWhenSkipped;
    }
    skipped = skip;
  }

  /** Records so far that came while the split was left out of the watermark, late ones or not. */
  public synchronized long skippedRecords() {
    return skipped ? skippedBefore + tracker.records() - recordsWhenSkipped : skippedBefore;
  }

  /** What the split is doing. */
  public SplitState state() {
    if (finished) {
      return SplitState.FINISHED;
    }
    if (pauses.underWay()) {
      return SplitState.PAUSED;
    }
    if (idle) {
      return SplitState.IDLE;
    }
    return skipped ? SplitState.SKIPPED : SplitState.ACTIVE;
  }
}
