package io.tidekeeper.policy.watermark;

import io.tidekeeper.policy.Schedule;
import io.tidekeeper.policy.ScheduleClock;
import io.tidekeeper.policy.ScheduleWindow;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ArbitrarySupplier;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Random schedules by event time, with the instants at which they are interesting. */
final class Schedules implements ArbitrarySupplier<Schedules.Case> {

  private static final Instant YEAR_2026 = Instant.parse("2026-01-01T00:00:00Z");

  /** A schedule and newest timestamps to ask it about, in the order of asking. */
  record Case(Schedule schedule, List<Long> maxEventTimes) {}

  @Override
  public Arbitrary<Case> get() {
    return schedules()
        .flatMap(
            schedule ->
                instants(schedule.timeZone())
                    .list()
                    .ofMinSize(1)
                    .ofMaxSize(12)
                    .map(instants -> new Case(schedule, instants)));
  }

  private static Arbitrary<Schedule> schedules() {
    // Half an hour of daylight saving, none, quarter-hour offsets, and a whole day left out.
    Arbitrary<ZoneId> zones =
        Arbitraries.of(
                "America/New_York",
                "Australia/Lord_Howe",
                "Asia/Shanghai",
                "UTC",
                "Asia/Kathmandu",
                "Pacific/Apia")
            .map(ZoneId::of);
    return Combinators.combine(zones, values(), windows().list().ofMinSize(1).ofMaxSize(6))
        .as((zone, otherwise, windows) -> scheduleOf(zone, otherwise, windows));
  }

  private static Arbitrary<ScheduleWindow> windows() {
    Arbitrary<Set<DayOfWeek>> days =
        Arbitraries.of(DayOfWeek.class).set().ofMinSize(1).ofMaxSize(7);
    Arbitrary<Integer> quarters = Arbitraries.integers().between(0, 95);
    return Combinators.combine(days, quarters, quarters, values())
        .filter((day, from, to, value) -> !from.equals(to) || from == 0)
        .as((day, from, to, value) -> new ScheduleWindow(day, quarter(from), quarter(to), value));
  }

  private static LocalTime quarter(int index) {
    return LocalTime.ofSecondOfDay(index * 900L);
  }

  private static Arbitrary<Duration> values() {
    return Arbitraries.frequencyOf(
        Tuple.of(4, Arbitraries.integers().between(0, 120).map(Duration::ofSeconds)),
        Tuple.of(4, Arbitraries.integers().between(0, 240).map(Duration::ofMinutes)),
        Tuple.of(1, Arbitraries.integers().between(0, 40).map(Duration::ofHours)));
  }

  /** Keeps those windows that do not overlap an earlier one. */
  private static Schedule scheduleOf(
      ZoneId zone, Duration otherwise, List<ScheduleWindow> candidates) {
    List<ScheduleWindow> kept = new ArrayList<>();
    Schedule schedule = null;
    for (ScheduleWindow candidate : candidates) {
      kept.add(candidate);
      try {
        schedule = new Schedule(zone, ScheduleClock.EventTime, otherwise, kept);
      } catch (IllegalArgumentException overlap) {
        kept.remove(candidate);
      }
    }
    if (schedule == null) {
      throw new IllegalStateException("one window alone cannot overlap");
    }
    return schedule;
  }

  private static Arbitrary<Long> instants(ZoneId zone) {
    List<Long> centers = new ArrayList<>();
    centers.add(YEAR_2026.toEpochMilli());
    ZoneOffsetTransition transition = zone.getRules().previousTransition(YEAR_2026);
    // Before 1970 offsets had odd seconds, which the model by minutes cannot follow.
    while (transition != null && transition.toEpochSecond() > 0) {
      centers.add(transition.toEpochSecond() * 1000);
      transition = zone.getRules().previousTransition(transition.getInstant());
    }
    long twoDays = Duration.ofDays(2).toMillis();
    long twoDaysInMinutes = Duration.ofDays(2).toMinutes();
    // Whole minutes hit edges exactly, where off-by-one mistakes live.
    return Combinators.combine(
            Arbitraries.of(centers),
            Arbitraries.oneOf(
                Arbitraries.longs().between(-twoDays, twoDays),
                Arbitraries.longs()
                    .between(-twoDaysInMinutes, twoDaysInMinutes)
                    .map(minutes -> minutes * NaiveSchedule.MINUTE)))
        .as(Long::sum);
  }
}
