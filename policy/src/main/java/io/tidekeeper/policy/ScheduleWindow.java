package io.tidekeeper.policy;

import java.io.Serializable;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * A window of the week, {@code from} inclusive, {@code to} exclusive, in local time.
 *
 * <p>Because {@code to} is exclusive, {@link LocalTime#MIDNIGHT} as {@code to} can only mean the
 * end of the start day, {@code 24:00}. A {@code to} before {@code from} lies on the next day.
 *
 * @param days the days on which the window starts; at least one
 * @param from whole minutes
 * @param to whole minutes; equal to {@code from} only for the whole day, 00:00 to 24:00
 * @param maxOutOfOrderness 0s to 7 days
 */
public record ScheduleWindow(
    Set<DayOfWeek> days, LocalTime from, LocalTime to, Duration maxOutOfOrderness)
    implements Serializable {

  /**
   * @throws IllegalArgumentException if there is no day, a time has seconds, the window is empty or
   *     the value is out of range
   */
  public ScheduleWindow {
    if (days.isEmpty()) {
      throw new IllegalArgumentException("a window needs at least one day");
    }
    if (!isWholeMinute(from) || !isWholeMinute(to)) {
      throw new IllegalArgumentException("a window begins and ends at a whole minute");
    }
    if (from.equals(to) && !from.equals(LocalTime.MIDNIGHT)) {
      throw new IllegalArgumentException(
          "a window from " + from + " to " + to + " is empty; the whole day is 00:00-24:00");
    }
    PolicyOption.SCHEDULE_DEFAULT.require(maxOutOfOrderness);
    days = Collections.unmodifiableSet(EnumSet.copyOf(days));
  }

  /** Whether the window applies at this local day and time. */
  public boolean covers(DayOfWeek day, LocalTime time) {
    boolean reachesMidnight = !to.isAfter(from);
    if (days.contains(day) && !time.isBefore(from) && (reachesMidnight || time.isBefore(to))) {
      return true;
    }
    return reachesMidnight && days.contains(day.minus(1)) && time.isBefore(to);
  }

  private static boolean isWholeMinute(LocalTime time) {
    return time.truncatedTo(ChronoUnit.MINUTES).equals(time);
  }

  /** Length in minutes, 1 to 1440. */
  int minutes() {
    int length = (to.toSecondOfDay() - from.toSecondOfDay()) / 60;
    return length > 0 ? length : length + 24 * 60;
  }
}
