package io.tidekeeper.job.align;

import io.tidekeeper.job.align.SkipDecision.Source;
import java.util.Collection;

/**
 * How far the splits of an alignment group are apart, in milliseconds of event time.
 *
 * @param minWatermark the lowest watermark of a split that counts, {@code Long.MIN_VALUE} when none
 *     has one
 * @param maxWatermark the highest watermark of a split that is not idle, {@code Long.MIN_VALUE}
 *     when none has one
 * @param drift how far the furthest behind of all splits that are not idle, skipped ones included,
 *     is behind the highest; 0 without watermarks
 */
public record Drift(long minWatermark, long maxWatermark, long drift) {

  /** Before anything was seen. */
  public static final Drift NONE = new Drift(Long.MIN_VALUE, Long.MIN_VALUE, 0);

  /** The highest watermark of all splits that are not idle or finished. */
  static long front(Collection<Source> sources) {
    long front = Long.MIN_VALUE;
    for (Source source : sources) {
      for (SplitObservation split : source.splits()) {
        if (split.speaks()) {
          front = Math.max(front, split.watermark());
        }
      }
    }
    return front;
  }

  static Drift of(Collection<Source> sources) {
    long front = front(sources);
    long counting = Long.MAX_VALUE;
    long lowest = Long.MAX_VALUE;
    for (Source source : sources) {
      for (SplitObservation split : source.splits()) {
        if (split.speaks() && split.watermark() != Long.MIN_VALUE) {
          lowest = Math.min(lowest, split.watermark());
          if (split.state() != SplitState.SKIPPED) {
            counting = Math.min(counting, split.watermark());
          }
        }
      }
    }
    return new Drift(
        counting == Long.MAX_VALUE ? Long.MIN_VALUE : counting,
        front,
        lowest == Long.MAX_VALUE ? 0 : between(lowest, front));
  }

  /** How far the watermark is behind; a split without any is as far behind as can be. */
  public static long between(long watermark, long front) {
    if (watermark >= front) {
      return 0;
    }
    long drift = front - watermark;
    return watermark == Long.MIN_VALUE || drift < 0 ? Long.MAX_VALUE : drift;
  }
}
