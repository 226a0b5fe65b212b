package io.tidekeeper.policy.watermark;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.policy.Schedule;
import io.tidekeeper.policy.ScheduleClock;
import io.tidekeeper.policy.ScheduleWindow;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How much is computed, counted in segments, so that the test does not depend on the machine. */
class SegmentCursorTest {

  private static final long START = Instant.parse("2026-03-02T00:00:00Z").toEpochMilli();
  private static final long SECOND = 1000;
  private static final long DAY = 86_400 * SECOND;

  // A UTC day here has at most: its start, local midnight, two edges.
  private static final int SEGMENTS_A_DAY = 4;

  private final SegmentCursor cursor = cursor(Duration.ofSeconds(30));
  private final WatermarkBound bound = new EventTimeSchedule(cursor);

  @Test
  void withinADayEverythingIsComputedOnce() {
    bound.watermark(START + 30 * SECOND, 0);
    long computed = cursor.computed();
    for (long second = 30; second < 86_400; second += 10) {
      bound.watermark(START + second * SECOND, 0);
      bound.outOfOrderness(START + second * SECOND, 0);
    }
    assertThat(computed).isBetween(1L, (long) SEGMENTS_A_DAY);
    assertThat(cursor.computed()).isEqualTo(computed);
  }

  @Test
  void aYearIsComputedDayByDayAndOnce() {
    for (long hour = 0; hour < 365 * 24; hour++) {
      bound.watermark(START + hour * 3600 * SECOND, 0);
    }
    assertThat(cursor.computed()).isBetween(365L * 3, 366L * SEGMENTS_A_DAY);
  }

  @Test
  void aJumpByDecadesComputesOnlyWhereItLands() {
    bound.watermark(START, 0);
    long before = cursor.computed();
    bound.watermark(START + 50 * 365 * DAY, 0);
    assertThat(cursor.computed() - before).isBetween(1L, 2L * SEGMENTS_A_DAY);
  }

  @Test
  void theLargestValueLimitsHowFarAJumpLooksBack() {
    SegmentCursor week = cursor(Duration.ofDays(7));
    new EventTimeSchedule(week).watermark(START, 0);
    assertThat(week.computed()).isBetween(1L, 9L * SEGMENTS_A_DAY);
  }

  private static SegmentCursor cursor(Duration rush) {
    ScheduleWindow window =
        new ScheduleWindow(
            EnumSet.allOf(DayOfWeek.class), LocalTime.of(7, 0), LocalTime.of(9, 30), rush);
    Schedule schedule =
        new Schedule(
            ZoneId.of("Asia/Shanghai"),
            ScheduleClock.EventTime,
            Duration.ofSeconds(5),
            List.of(window));
    return new SegmentCursor(new WeekPlan(schedule, null));
  }
}
