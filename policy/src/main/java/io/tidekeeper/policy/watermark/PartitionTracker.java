package io.tidekeeper.policy.watermark;

import io.tidekeeper.policy.SourceSettings;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Follows the records of one partition: newest timestamp, watermark, lateness and counts.
 *
 * <p>One thread, the owner, calls {@link #onRecord}, {@link #advance}, {@link #settings}, {@link
 * #outOfOrderness(long)}, {@link #idle}, {@link #close} and {@link #lastLateness}. Every other
 * method may be called by any thread: it sees whole values that lag by little, each by itself (two
 * of them need not fit together). Nothing is allocated per record.
 */
public final class PartitionTracker {

  /** A record that carries no watermark. */
  public static final long NO_WATERMARK = Long.MIN_VALUE;

  /** The reference clock for a record of which it is known that it is not from the future. */
  public static final long TRUSTED = Long.MAX_VALUE;

  private final String splitId;
  private final SourceLearning learning;

  // The owner's own: swapped by settings(), never read by another thread.
  private WatermarkBound bound;
  private long maxFutureSkew;

  private final LatenessHistogram histogram = new LatenessHistogram();

  // Written by the owner with opaque stores, which are plain moves; see LatenessHistogram.
  private final AtomicLong maxEventTime = new AtomicLong(Long.MIN_VALUE);
  private final AtomicLong watermark = new AtomicLong(Long.MIN_VALUE);
  private final AtomicLong outOfOrderness = new AtomicLong();
  private final AtomicLong futureRecords = new AtomicLong();
  private final AtomicLong noTimestampRecords = new AtomicLong();
  private final AtomicLong maxLateness = new AtomicLong();
  private final AtomicLong ignoredWatermarks = new AtomicLong();
  private long lastLateness;
  private boolean idle;

  /** A tracker for a partition that has not spoken yet and learns alone. */
  public PartitionTracker(SourceSettings settings) {
    this("", settings, new SourceLearning());
  }

  /**
   * A tracker for a partition that has not spoken yet.
   *
   * @param splitId its id, {@code topic-partition} with Kafka; partition overrides go by it
   * @param learning what it shares with the other partitions of its source subtask
   */
  public PartitionTracker(String splitId, SourceSettings settings, SourceLearning learning) {
    this.splitId = splitId;
    this.learning = learning;
    this.bound = learning.boundFor(settings, splitId);
    this.maxFutureSkew = skewOf(settings);
  }

  /**
   * Follows other settings from the next record on: their strategy, cap and maximum future skew.
   * The watermark stays where it is until the new strategy would put it further; counts, lateness
   * and the newest timestamp are kept. For the owner.
   */
  public void settings(SourceSettings settings) {
    bound.close();
    bound = learning.boundFor(settings, splitId);
    bound.idle(idle);
    maxFutureSkew = skewOf(settings);
  }

  /**
   * Takes note of a record.
   *
   * @param timestampMillis its event time, {@link Long#MIN_VALUE} for none
   * @param referenceMillis the clock by which its future is judged: when the broker appended it, if
   *     that is known, else the wall clock. Ignored without a maximum future skew
   */
  public Verdict onRecord(long timestampMillis, long referenceMillis) {
    return onRecord(timestampMillis, referenceMillis, NO_WATERMARK);
  }

  /**
   * Takes note of a record that may carry a watermark.
   *
   * @param carriedMillis the watermark it carries, or {@link #NO_WATERMARK}; used under Punctuated
   *     only. One as far ahead of the reference clock as no record may be is ignored and counted
   */
  public Verdict onRecord(long timestampMillis, long referenceMillis, long carriedMillis) {
    if (timestampMillis == Long.MIN_VALUE) {
      lastLateness = 0;
      increment(noTimestampRecords);
      return Verdict.NO_TIMESTAMP;
    }
    long newest = maxEventTime.getPlain();
    long lateness = Millis.behind(timestampMillis, newest);
    lastLateness = lateness;
    if (isFuture(timestampMillis, referenceMillis)) {
      increment(futureRecords);
      return Verdict.FUTURE;
    }
    if (timestampMillis > newest) {
      maxEventTime.setOpaque(timestampMillis);
    }
    if (lateness > maxLateness.getPlain()) {
      maxLateness.setOpaque(lateness);
    }
    histogram.record(lateness);
    // A partition that speaks is not idle, also before anybody has looked again.
    idle(false);
    bound.onRecord(timestampMillis, lateness);
    if (carriedMillis != NO_WATERMARK) {
      takeCarried(carriedMillis, referenceMillis);
    }
    return Verdict.ACCEPTED;
  }

  private void takeCarried(long carriedMillis, long referenceMillis) {
    if (isFuture(carriedMillis, referenceMillis)) {
      increment(ignoredWatermarks);
    } else {
      bound.onCarriedWatermark(carriedMillis);
    }
  }

  private boolean isFuture(long timeMillis, long referenceMillis) {
    return timeMillis > referenceMillis
        && maxFutureSkew != Long.MAX_VALUE
        && timeMillis > Millis.plus(referenceMillis, maxFutureSkew);
  }

  /** Notes that the partition has gone idle or speaks again. For the owner. */
  public void idle(boolean isIdle) {
    if (isIdle != idle) {
      idle = isIdle;
      bound.idle(isIdle);
    }
  }

  /** The partition is not read any longer and holds the others' learning back no more. */
  public void close() {
    bound.close();
  }

  /**
   * Moves the watermark on, to where the strategy puts it now; it never goes back.
   *
   * @param nowMillis the wall clock; read by schedules on processing time only
   * @return the watermark, {@link Long#MIN_VALUE} before the first accepted record
   */
  public long advance(long nowMillis) {
    long newest = maxEventTime.getPlain();
    long candidate = bound.watermark(newest, nowMillis);
    if (candidate > watermark.getPlain()) {
      watermark.setOpaque(candidate);
    }
    outOfOrderness.setOpaque(bound.outOfOrderness(newest, nowMillis));
    return watermark.getPlain();
  }

  /** The watermark of the last {@link #advance}, {@link Long#MIN_VALUE} for none. */
  public long watermark() {
    return watermark.getOpaque();
  }

  /** The newest timestamp accepted, {@link Long#MIN_VALUE} before the first. */
  public long maxEventTime() {
    return maxEventTime.getOpaque();
  }

  /** The out-of-orderness in force in milliseconds, computed; for the owner. */
  public long outOfOrderness(long nowMillis) {
    return bound.outOfOrderness(maxEventTime.getPlain(), nowMillis);
  }

  /** The out-of-orderness in force in milliseconds at the last {@link #advance}, 0 before. */
  public long outOfOrderness() {
    return outOfOrderness.getOpaque();
  }

  /**
   * How much older than the newest timestamp before it the last record was, in milliseconds; 0 if
   * it was not older or has no timestamp. For the owner.
   */
  public long lastLateness() {
    return lastLateness;
  }

  /** All records, whatever the verdict: the partition's activity. */
  public long records() {
    // Added up here so that a record costs one counter only.
    return histogram.total() + futureRecords.getOpaque() + noTimestampRecords.getOpaque();
  }

  /** Records judged {@link Verdict#FUTURE}. */
  public long futureRecords() {
    return futureRecords.getOpaque();
  }

  /** Records judged {@link Verdict#NO_TIMESTAMP}. */
  public long noTimestampRecords() {
    return noTimestampRecords.getOpaque();
  }

  /**
   * Watermarks carried by records that were too far ahead of the reference clock to be believed.
   */
  public long ignoredWatermarks() {
    return ignoredWatermarks.getOpaque();
  }

  /** The largest lateness of an accepted record in milliseconds. */
  public long maxLateness() {
    return maxLateness.getOpaque();
  }

  /** How many lateness buckets there are. */
  public static int latenessBuckets() {
    return LatenessHistogram.buckets();
  }

  /** Upper bound of a bucket, inclusive, in milliseconds; {@link Long#MAX_VALUE} for the last. */
  public static long latenessBound(int bucket) {
    return LatenessHistogram.bound(bucket);
  }

  /**
   * Accepted records with a lateness up to {@link #latenessBound}: cumulative, so the last bucket
   * counts all accepted records.
   */
  public long latenessBucket(int bucket) {
    return histogram.cumulative(bucket);
  }

  /**
   * The lateness in milliseconds that a share of the accepted records did not exceed: the upper
   * bound of the bucket it falls into, or the largest lateness where that is lower; 0 before the
   * first record.
   *
   * @param share 0 to 1
   */
  public long latenessQuantile(double share) {
    // The histogram first: what is in it has been taken into the largest lateness before.
    long bound = histogram.quantile(share);
    return Math.min(bound, maxLateness());
  }

  private static long skewOf(SourceSettings settings) {
    Duration skew = settings.maxFutureSkew();
    return skew == null ? Long.MAX_VALUE : skew.toMillis();
  }

  private static void increment(AtomicLong counter) {
    counter.setOpaque(counter.getPlain() + 1);
  }
}
