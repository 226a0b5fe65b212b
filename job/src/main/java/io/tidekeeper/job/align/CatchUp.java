package io.tidekeeper.job.align;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How fast the splits of a source catch up, and how far apart they must be allowed to drift so that
 * alignment does not slow them down.
 *
 * <p>A leader is held at what the slowest had reached when it last reported. Until the next limit
 * arrives, a report and an announcement may each be one update interval old: two intervals of event
 * time are under way, at the speed of reading. A smaller maximum drift pauses splits that nobody
 * has left behind.
 *
 * <p>Speed is measured over stretches of time, and pauses do not count: it does not matter how much
 * alignment slows the source down at present. A stretch in which event time moved little faster
 * than the clock is no catching up.
 *
 * @param marks where the stretch under way began, by split
 * @param speeds of the newest stretches of all splits, milliseconds of event time per millisecond
 *     of reading
 */
record CatchUp(Map<String, Mark> marks, List<Double> speeds) {

  /** In place of a drift: nothing has caught up yet. */
  static final long UNKNOWN = -1;

  /** Before anything was seen. */
  static final CatchUp NONE = new CatchUp(Map.of(), List.of());

  /** Two intervals are under way, and one is for clocks and threads that are not on time. */
  static final int INTERVALS_UNDER_WAY = 3;

  /** So long that records which come in batches do not look like catching up. */
  static final int INTERVALS_OF_A_STRETCH = 10;

  /** Fewer may leap over hours of silence. */
  static final long RECORDS_OF_A_STRETCH = 50;

  /** From how many times the speed of the clock on a stretch is one of catching up. */
  static final double FASTER_THAN_THE_CLOCK = 2;

  /** One of them may have leapt over a gap in event time, the median of three has not. */
  static final int FEWEST_STRETCHES = 3;

  /** So many are remembered. */
  static final int MOST_STRETCHES = 33;

  private static final double NANOS_PER_MILLI = 1e6;

  /**
   * Where a stretch began.
   *
   * @param at milliseconds of a steady clock
   */
  record Mark(long at, SplitObservation split) {}

  CatchUp {
    marks = Map.copyOf(marks);
    speeds = List.copyOf(speeds);
  }

  /**
   * Takes in what is known of the splits of a source; the same arguments always give the same
   * result. A split that is missing, silent or starts anew begins a new stretch when it is back.
   *
   * @param now milliseconds of a steady clock
   */
  CatchUp observe(List<SplitObservation> splits, long now, long updateIntervalMillis) {
    Map<String, Mark> nextMarks = new HashMap<>();
    List<Double> nextSpeeds = new ArrayList<>(speeds);
    for (SplitObservation split : splits) {
      if (!split.speaks() || split.maxEventTime() == Long.MIN_VALUE) {
        continue;
      }
      Mark mark = marks.get(split.splitId());
      if (mark == null || startedAnew(mark.split(), split)) {
        nextMarks.put(split.splitId(), new Mark(now, split));
      } else if (now - mark.at() < INTERVALS_OF_A_STRETCH * updateIntervalMillis) {
        nextMarks.put(split.splitId(), mark);
      } else {
        nextMarks.put(split.splitId(), new Mark(now, split));
        Double speed = speedOfCatchingUp(mark.split(), split);
        if (speed != null) {
          nextSpeeds.add(speed);
        }
      }
    }
    int surplus = Math.max(0, nextSpeeds.size() - MOST_STRETCHES);
    return new CatchUp(nextMarks, nextSpeeds.subList(surplus, nextSpeeds.size()));
  }

  private static boolean startedAnew(SplitObservation before, SplitObservation now) {
    return now.records() < before.records() || now.readNanos() < before.readNanos();
  }

  /** Null when the split did not catch up, or too little is known of it. */
  private static @Nullable Double speedOfCatchingUp(SplitObservation from, SplitObservation to) {
    double read = (to.readNanos() - from.readNanos()) / NANOS_PER_MILLI;
    double gained = (double) to.maxEventTime() - from.maxEventTime();
    boolean caughtUp =
        to.records() - from.records() >= RECORDS_OF_A_STRETCH
            && read > 0
            && gained >= FASTER_THAN_THE_CLOCK * read;
    return caughtUp ? gained / read : null;
  }

  /**
   * A maximum drift that does not slow splits down which catch up side by side, in milliseconds;
   * {@link #UNKNOWN} until some have caught up for long enough.
   */
  long recommendedMaxDrift(long updateIntervalMillis) {
    if (speeds.size() < FEWEST_STRETCHES) {
      return UNKNOWN;
    }
    double median = speeds.stream().sorted().skip(speeds.size() / 2).findFirst().orElseThrow();
    return (long) Math.ceil(median * updateIntervalMillis * INTERVALS_UNDER_WAY);
  }
}
