package io.tidekeeper.policy.watermark;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.policy.Schedule;
import io.tidekeeper.policy.ScheduleClock;
import io.tidekeeper.policy.ScheduleWindow;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EventTimeScheduleTest {

  private static final ZoneId SHANGHAI = ZoneId.of("Asia/Shanghai");
  private static final long SECOND = 1000;
  private static final long ANY_NOW = 0;

  private static final Schedule RUSH = schedule(SHANGHAI, window(weekdays(), "07:00", "09:30", 30));

  private final WatermarkBound rush = WatermarkBound.of(RUSH, null);

  @Test
  void aFallingEdgeKeepsTheDelayForTheRecordsOfTheRush() {
    long edge = at(SHANGHAI, "2026-03-02T09:30");
    assertThat(rush.watermark(edge - SECOND, ANY_NOW)).isEqualTo(edge - 31 * SECOND - 1);
    assertThat(rush.watermark(edge + 29 * SECOND, ANY_NOW)).isEqualTo(edge - SECOND - 1);
    assertThat(rush.outOfOrderness(edge + 29 * SECOND, ANY_NOW)).isEqualTo(30 * SECOND);
    // Once no record of the rush is awaited any more, the five seconds of the day take over.
    assertThat(rush.watermark(edge + 30 * SECOND, ANY_NOW)).isEqualTo(edge + 25 * SECOND - 1);
    assertThat(rush.outOfOrderness(edge + 30 * SECOND, ANY_NOW)).isEqualTo(5 * SECOND);
  }

  @Test
  void aFallingEdgeBelowTheLargestValueEndsAsExactly() {
    Set<DayOfWeek> days = weekdays();
    Schedule twoPeaks =
        schedule(SHANGHAI, window(days, "07:00", "09:30", 30), window(days, "17:00", "19:00", 60));
    WatermarkBound bound = WatermarkBound.of(twoPeaks, null);
    long edge = at(SHANGHAI, "2026-03-02T09:30");
    assertThat(bound.watermark(edge + 30 * SECOND - 1, ANY_NOW)).isEqualTo(edge - 2);
    assertThat(bound.watermark(edge + 30 * SECOND, ANY_NOW)).isEqualTo(edge + 25 * SECOND - 1);
  }

  @Test
  void aRisingEdgeHoldsTheWatermarkAtTheEdge() {
    long edge = at(SHANGHAI, "2026-03-02T07:00");
    assertThat(rush.watermark(edge + 4 * SECOND, ANY_NOW)).isEqualTo(edge - SECOND - 1);
    assertThat(rush.watermark(edge + 6 * SECOND, ANY_NOW)).isEqualTo(edge - 1);
    assertThat(rush.outOfOrderness(edge + 6 * SECOND, ANY_NOW)).isEqualTo(30 * SECOND);
    assertThat(rush.watermark(edge + 30 * SECOND, ANY_NOW)).isEqualTo(edge - 1);
    assertThat(rush.watermark(edge + 31 * SECOND, ANY_NOW)).isEqualTo(edge + SECOND - 1);
  }

  @Test
  void theWeekendHasNoRush() {
    long saturday = at(SHANGHAI, "2026-03-07T08:00");
    assertThat(rush.watermark(saturday, ANY_NOW)).isEqualTo(saturday - 5 * SECOND - 1);
  }

  @Test
  void aWindowAcrossMidnightBelongsToItsStartDay() {
    Schedule nights = schedule(SHANGHAI, window(Set.of(DayOfWeek.SUNDAY), "22:00", "02:00", 60));
    WatermarkBound bound = WatermarkBound.of(nights, null);
    long monday = at(SHANGHAI, "2026-03-02T01:00");
    assertThat(bound.outOfOrderness(monday, ANY_NOW)).isEqualTo(60 * SECOND);
    assertThat(bound.outOfOrderness(at(SHANGHAI, "2026-03-01T01:00"), ANY_NOW))
        .as("the night from Saturday to Sunday")
        .isEqualTo(5 * SECOND);
    assertThat(bound.outOfOrderness(at(SHANGHAI, "2026-03-02T23:00"), ANY_NOW))
        .as("Monday night")
        .isEqualTo(5 * SECOND);
  }

  @Test
  void midnightAsEndIsTheEndOfTheDay() {
    Schedule evening = schedule(SHANGHAI, window(Set.of(DayOfWeek.SUNDAY), "22:00", "00:00", 60));
    WatermarkBound bound = WatermarkBound.of(evening, null);
    long midnight = at(SHANGHAI, "2026-03-02T00:00");
    assertThat(bound.watermark(midnight, ANY_NOW)).isEqualTo(midnight - 60 * SECOND - 1);
    assertThat(bound.watermark(midnight + 60 * SECOND, ANY_NOW))
        .isEqualTo(midnight + 55 * SECOND - 1);
  }

  @Test
  void anHourThatComesTwiceAppliesTwice() {
    ZoneId newYork = ZoneId.of("America/New_York");
    Schedule night = schedule(newYork, window(Set.of(DayOfWeek.SUNDAY), "01:00", "01:30", 60));
    WatermarkBound bound = WatermarkBound.of(night, null);
    long first = Instant.parse("2026-11-01T05:15:00Z").toEpochMilli();
    long between = Instant.parse("2026-11-01T05:45:00Z").toEpochMilli();
    long second = Instant.parse("2026-11-01T06:15:00Z").toEpochMilli();
    assertThat(bound.outOfOrderness(first, ANY_NOW)).isEqualTo(60 * SECOND);
    assertThat(bound.outOfOrderness(between, ANY_NOW)).isEqualTo(5 * SECOND);
    assertThat(bound.outOfOrderness(second, ANY_NOW)).isEqualTo(60 * SECOND);
    assertThat(bound.outOfOrderness(second + 30 * 60 * SECOND, ANY_NOW)).isEqualTo(5 * SECOND);
  }

  @Test
  void aWindowThatBeginsInAGapBeginsWithTheChange() {
    ZoneId newYork = ZoneId.of("America/New_York");
    Schedule night = schedule(newYork, window(Set.of(DayOfWeek.SUNDAY), "02:15", "03:30", 60));
    WatermarkBound bound = WatermarkBound.of(night, null);
    long change = Instant.parse("2026-03-08T07:00:00Z").toEpochMilli();
    assertThat(bound.watermark(change + 30 * SECOND, ANY_NOW)).isEqualTo(change - 1);
    assertThat(bound.outOfOrderness(change + 30 * SECOND, ANY_NOW)).isEqualTo(60 * SECOND);
  }

  @Test
  void theCapBoundsEveryScheduledValue() {
    WatermarkBound bound = WatermarkBound.of(RUSH, Duration.ofSeconds(10));
    long inRush = at(SHANGHAI, "2026-03-02T08:00");
    assertThat(bound.watermark(inRush, ANY_NOW)).isEqualTo(inRush - 10 * SECOND - 1);
    long quiet = at(SHANGHAI, "2026-03-02T12:00");
    assertThat(bound.watermark(quiet, ANY_NOW)).isEqualTo(quiet - 5 * SECOND - 1);
  }

  @Test
  void beforeTheFirstRecordTheLargestValueIsInForce() {
    assertThat(rush.outOfOrderness(Long.MIN_VALUE, ANY_NOW)).isEqualTo(30 * SECOND);
  }

  @Test
  void theWallClockDoesNotMatter() {
    long inRush = at(SHANGHAI, "2026-03-02T08:00");
    assertThat(rush.watermark(inRush, at(SHANGHAI, "2026-03-07T12:00")))
        .isEqualTo(rush.watermark(inRush, inRush));
  }

  @Test
  void extremeTimestampsDoNotWrapAround() {
    assertThat(rush.watermark(Long.MIN_VALUE, ANY_NOW)).isEqualTo(Long.MIN_VALUE);
    assertThat(rush.watermark(Long.MIN_VALUE + 1, ANY_NOW)).isEqualTo(Long.MIN_VALUE);
    assertThat(rush.watermark(Long.MAX_VALUE, ANY_NOW))
        .isBetween(Long.MAX_VALUE - 30 * SECOND - 1, Long.MAX_VALUE - 5 * SECOND - 1);
    assertThat(rush.watermark(Long.MAX_VALUE - 1, ANY_NOW)).isLessThan(Long.MAX_VALUE - 1);
  }

  @Test
  void byProcessingTimeTheWallClockDecides() {
    Schedule byWallClock =
        new Schedule(SHANGHAI, ScheduleClock.ProcessingTime, Duration.ofSeconds(5), RUSH.windows());
    WatermarkBound bound = WatermarkBound.of(byWallClock, null);
    long rushHour = at(SHANGHAI, "2026-03-02T08:00");
    long noon = at(SHANGHAI, "2026-03-02T12:00");
    assertThat(bound.watermark(noon, rushHour)).isEqualTo(noon - 30 * SECOND - 1);
    assertThat(bound.watermark(noon, noon)).isEqualTo(noon - 5 * SECOND - 1);
    assertThat(bound.watermark(noon, rushHour)).isEqualTo(noon - 30 * SECOND - 1);
    assertThat(bound.watermark(Long.MIN_VALUE, rushHour)).isEqualTo(Long.MIN_VALUE);
  }

  private static long at(ZoneId zone, String localDateTime) {
    return LocalDateTime.parse(localDateTime).atZone(zone).toInstant().toEpochMilli();
  }

  private static Schedule schedule(ZoneId zone, ScheduleWindow... windows) {
    return new Schedule(zone, ScheduleClock.EventTime, Duration.ofSeconds(5), List.of(windows));
  }

  private static ScheduleWindow window(Set<DayOfWeek> days, String from, String to, int seconds) {
    return new ScheduleWindow(
        days, LocalTime.parse(from), LocalTime.parse(to), Duration.ofSeconds(seconds));
  }

  private static Set<DayOfWeek> weekdays() {
    return EnumSet.range(DayOfWeek.MONDAY, DayOfWeek.FRIDAY);
  }
}
