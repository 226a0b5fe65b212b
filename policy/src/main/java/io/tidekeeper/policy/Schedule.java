package io.tidekeeper.policy;

import java.time.Duration;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * Out-of-orderness by time of day and day of week.
 *
 * @param timeZone the zone in which the windows are meant; daylight saving is followed
 * @param clock whether the record's own time or the wall clock selects the window
 * @param defaultMaxOutOfOrderness the value outside all windows, 0s to 7 days
 * @param windows at least one; none overlaps another. Their order means nothing, so they are kept
 *     sorted and schedules that differ in order only are equal
 */
public record Schedule(
    ZoneId timeZone,
    ScheduleClock clock,
    Duration defaultMaxOutOfOrderness,
    List<ScheduleWindow> windows)
    implements OutOfOrderness {

  private static final Comparator<ScheduleWindow> BY_WEEK =
      Comparator.comparing((ScheduleWindow window) -> window.days().iterator().next())
          .thenComparing(ScheduleWindow::from)
          .thenComparing(ScheduleText::format);

  /**
   * @throws IllegalArgumentException if a value is out of range, there is no window or windows
   *     overlap
   */
  public Schedule {
    Objects.requireNonNull(timeZone);
    Objects.requireNonNull(clock);
    PolicyOption.SCHEDULE_DEFAULT.require(defaultMaxOutOfOrderness);
    windows = windows.stream().sorted(BY_WEEK).toList();
    if (windows.isEmpty()) {
      throw new IllegalArgumentException("a schedule needs at least one window");
    }
    List<String> overlaps = WindowOverlaps.in(windows);
    if (!overlaps.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", overlaps));
    }
  }

  @Override
  public String typeName() {
    return "Schedule";
  }
}
