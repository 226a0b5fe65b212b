package io.tidekeeper.policy;

import java.time.DayOfWeek;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Finds windows that claim the same minute of the week. */
final class WindowOverlaps {

  private static final int DAY = 24 * 60;
  private static final int WEEK = 7 * DAY;

  private WindowOverlaps() {}

  /** One message for every overlapping pair, naming both windows and the first shared minute. */
  static List<String> in(List<ScheduleWindow> windows) {
    List<BitSet> minutes = windows.stream().map(WindowOverlaps::minutesOfWeek).toList();
    List<String> overlaps = new ArrayList<>();
    for (int first = 0; first < windows.size(); first++) {
      for (int second = first + 1; second < windows.size(); second++) {
        if (minutes.get(first).intersects(minutes.get(second))) {
          BitSet shared = (BitSet) minutes.get(first).clone();
          shared.and(minutes.get(second));
          overlaps.add(
              "windows '%s' and '%s' overlap, on %s"
                  .formatted(
                      ScheduleText.format(windows.get(first)),
                      ScheduleText.format(windows.get(second)),
                      describe(shared.nextSetBit(0))));
        }
      }
    }
    return overlaps;
  }

  private static BitSet minutesOfWeek(ScheduleWindow window) {
    BitSet minutes = new BitSet(WEEK);
    for (DayOfWeek day : window.days()) {
      int start = (day.getValue() - 1) * DAY + window.from().toSecondOfDay() / 60;
      int end = start + window.minutes();
      minutes.set(start, Math.min(end, WEEK));
      // What reaches beyond Sunday lies on Monday.
      minutes.set(0, Math.max(0, end - WEEK));
    }
    return minutes;
  }

  private static String describe(int minuteOfWeek) {
    return ScheduleText.format(DayOfWeek.of(1 + minuteOfWeek / DAY))
        + " at "
        + LocalTime.ofSecondOfDay(minuteOfWeek % DAY * 60L);
  }
}
