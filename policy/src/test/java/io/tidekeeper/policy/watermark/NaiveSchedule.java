package io.tidekeeper.policy.watermark;

import io.tidekeeper.policy.Schedule;
import io.tidekeeper.policy.ScheduleWindow;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZonedDateTime;

/** The definition of a schedule, taken by its word and minute by minute: slow and plain. */
final class NaiveSchedule {

  static final long MINUTE = 60_000;

  private final Schedule schedule;

  NaiveSchedule(Schedule schedule) {
    this.schedule = schedule;
  }

  /** The scheduled value at an instant, from the record's local day and time alone. */
  long valueAt(long instant) {
    ZonedDateTime local = Instant.ofEpochMilli(instant).atZone(schedule.timeZone());
    for (ScheduleWindow window : schedule.windows()) {
      if (applies(window, local)) {
        return window.maxOutOfOrderness().toMillis();
      }
    }
    return schedule.defaultMaxOutOfOrderness().toMillis();
  }

  private static boolean applies(ScheduleWindow window, ZonedDateTime local) {
    long time = local.toLocalTime().toSecondOfDay();
    long from = window.from().toSecondOfDay();
    long to = window.to().equals(LocalTime.MIDNIGHT) ? 86_400 : window.to().toSecondOfDay();
    boolean today = window.days().contains(local.getDayOfWeek());
    boolean yesterday = window.days().contains(local.getDayOfWeek().minus(1));
    return from < to
        ? today && from <= time && time < to
        : (today && from <= time) || (yesterday && time < to);
  }

  /**
   * The largest w such that every e <= w has e + b(e) < M. All edges lie on whole minutes, so b is
   * constant within a minute.
   */
  long watermark(long maxEventTime) {
    long minute = Math.floorDiv(maxEventTime - longest(), MINUTE) * MINUTE;
    while (true) {
      long firstAwaited = Math.max(minute, maxEventTime - valueAt(minute));
      if (firstAwaited < minute + MINUTE) {
        return firstAwaited - 1;
      }
      minute += MINUTE;
    }
  }

  private long longest() {
    return schedule.windows().stream()
        .mapToLong(window -> window.maxOutOfOrderness().toMillis())
        .reduce(schedule.defaultMaxOutOfOrderness().toMillis(), Math::max);
  }
}
