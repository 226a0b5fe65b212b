package io.tidekeeper.policy.watermark;

import io.tidekeeper.policy.Schedule;
import io.tidekeeper.policy.ScheduleWindow;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a schedule says about instants: its value at one, and when it can change. */
final class WeekPlan {

  // Local dates whose times can fall on one UTC day: offsets reach from -18 to +18 hours.
  private static final int DATES_AROUND = 1;

  private final ZoneRules rules;
  private final List<ScheduleWindow> windows;
  private final List<LocalTime> changes;
  private final long defaultValue;
  private final long cap;

  WeekPlan(Schedule schedule, @Nullable Duration cap) {
    this.rules = schedule.timeZone().getRules();
    this.windows = schedule.windows();
    this.cap = cap == null ? Long.MAX_VALUE : cap.toMillis();
    this.defaultValue = capped(schedule.defaultMaxOutOfOrderness());
    // Midnight belongs to it because there the day of week changes.
    this.changes =
        Stream.concat(
                Stream.of(LocalTime.MIDNIGHT),
                windows.stream().flatMap(window -> Stream.of(window.from(), window.to())))
            .distinct()
            .toList();
  }

  /** The out-of-orderness at an instant, in milliseconds. */
  long valueAt(long instant) {
    Instant moment = Instant.ofEpochMilli(instant);
    LocalDateTime local =
        LocalDateTime.ofEpochSecond(
            moment.getEpochSecond(), moment.getNano(), rules.getOffset(moment));
    for (ScheduleWindow window : windows) {
      if (window.covers(local.getDayOfWeek(), local.toLocalTime())) {
        return capped(window.maxOutOfOrderness());
      }
    }
    return defaultValue;
  }

  /** The largest value the schedule can have, in milliseconds. */
  long largestValue() {
    return windows.stream()
        .mapToLong(window -> capped(window.maxOutOfOrderness()))
        .reduce(defaultValue, Math::max);
  }

  /**
   * The instants within a UTC day, ends excluded, at which the value can change: those with the
   * local time of a window's edge or midnight (two in an overlap of daylight saving), and those at
   * which the zone's offset changes (which stand for the local times a gap leaves out). Between two
   * of them local time runs on without crossing an edge, so the value is constant.
   */
  long[] changesWithin(long utcDay, long dayStart, long dayEnd) {
    TreeSet<Long> instants = new TreeSet<>();
    LocalDate date = LocalDate.ofEpochDay(utcDay);
    for (int shift = -DATES_AROUND; shift <= DATES_AROUND; shift++) {
      LocalDate near = date.plusDays(shift);
      for (LocalTime time : changes) {
        LocalDateTime local = near.atTime(time);
        for (ZoneOffset offset : rules.getValidOffsets(local)) {
          instants.add(Millis.ofSeconds(local.toEpochSecond(offset)));
        }
      }
    }
    ZoneOffsetTransition transition = rules.nextTransition(Instant.ofEpochMilli(dayStart));
    while (transition != null && Millis.ofSeconds(transition.toEpochSecond()) < dayEnd) {
      instants.add(Millis.ofSeconds(transition.toEpochSecond()));
      transition = rules.nextTransition(transition.getInstant());
    }
    return instants.stream()
        .mapToLong(Long::longValue)
        .filter(instant -> instant > dayStart && instant < dayEnd)
        .toArray();
  }

  private long capped(Duration value) {
    return Math.min(value.toMillis(), cap);
  }
}
