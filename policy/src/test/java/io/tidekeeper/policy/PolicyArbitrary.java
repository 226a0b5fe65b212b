package io.tidekeeper.policy;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ArbitrarySupplier;
import net.jqwik.api.Combinators;
import org.jspecify.annotations.Nullable;

/**
 * Any valid policy. Values come from small pools beside wide ranges, so that sources often agree
 * with the defaults in a part and differ in another.
 */
final class PolicyArbitrary implements ArbitrarySupplier<PolicySettings> {

  private static final Duration WEEK = Duration.ofDays(7);

  @Override
  public Arbitrary<PolicySettings> get() {
    Arbitrary<String> names =
        Arbitraries.strings()
            .withCharRange('a', 'c')
            .withChars("-09")
            .ofMinLength(1)
            .ofMaxLength(63);
    return Combinators.combine(
            Arbitraries.longs().greaterOrEqual(0),
            sources(),
            Arbitraries.maps(names, sources()).ofMaxSize(3))
        .as((revision, base, others) -> new PolicySettings(revision, base, new TreeMap<>(others)));
  }

  private static Arbitrary<SourceSettings> sources() {
    return Combinators.combine(
            strategies(),
            durations(Duration.ofMillis(1), Duration.ofMinutes(1)),
            durations(Duration.ZERO, WEEK).injectNull(0.5),
            durations(Duration.ZERO, Durations.MAX).injectNull(0.5),
            durations(Duration.ofMillis(1), Durations.MAX).injectNull(0.5),
            alignments().injectNull(0.4),
            lateData())
        .as(PolicyArbitrary::consistent);
  }

  /** Repairs what would be refused together. */
  private static SourceSettings consistent(
      OutOfOrderness strategy,
      Duration emitInterval,
      @Nullable Duration cap,
      @Nullable Duration skew,
      @Nullable Duration idleTimeout,
      @Nullable AlignmentSettings alignment,
      LateDataSettings lateData) {
    Duration highEnough = cap;
    if (cap != null
        && strategy instanceof Bounded bounded
        && bounded.maxOutOfOrderness().compareTo(cap) > 0) {
      highEnough = bounded.maxOutOfOrderness();
    }
    Duration longEnough = idleTimeout;
    if (alignment != null && alignment.onExceeded() == OnExceeded.PauseLeaders) {
      Duration shortest =
          alignment.updateInterval().plus(emitInterval.multipliedBy(3)).plusMillis(1);
      longEnough =
          idleTimeout == null || idleTimeout.compareTo(shortest) < 0 ? shortest : idleTimeout;
    }
    return new SourceSettings(
        strategy, emitInterval, highEnough, skew, longEnough, alignment, lateData);
  }

  private static Arbitrary<OutOfOrderness> strategies() {
    return Arbitraries.oneOf(
        durations(Duration.ZERO, WEEK).map(Bounded::new),
        Arbitraries.of(new Monotonous(), new NoWatermarks()),
        schedules());
  }

  private static Arbitrary<Schedule> schedules() {
    Arbitrary<ZoneId> zones =
        Arbitraries.of("UTC", "Z", "+08:00", "UTC-03:30", "Europe/Berlin", "America/New_York")
            .map(ZoneId::of);
    return Combinators.combine(
            zones,
            Arbitraries.of(ScheduleClock.class),
            durations(Duration.ZERO, WEEK),
            windows().list().ofMinSize(1).ofMaxSize(5))
        .as(
            (zone, clock, otherwise, windows) ->
                new Schedule(zone, clock, otherwise, withoutOverlaps(windows)));
  }

  private static List<ScheduleWindow> withoutOverlaps(List<ScheduleWindow> candidates) {
    List<ScheduleWindow> kept = new ArrayList<>();
    for (ScheduleWindow candidate : candidates) {
      kept.add(candidate);
      if (!WindowOverlaps.in(kept).isEmpty()) {
        kept.remove(candidate);
      }
    }
    return kept;
  }

  private static Arbitrary<ScheduleWindow> windows() {
    Arbitrary<Set<DayOfWeek>> days = Arbitraries.of(DayOfWeek.class).set().ofMinSize(1);
    Arbitrary<Integer> minutes = Arbitraries.integers().between(0, 24 * 60 - 1);
    return Combinators.combine(days, minutes, minutes, durations(Duration.ZERO, WEEK))
        .filter((day, from, to, value) -> !from.equals(to) || from == 0)
        .as(
            (day, from, to, value) ->
                new ScheduleWindow(
                    day,
                    LocalTime.ofSecondOfDay(from * 60L),
                    LocalTime.ofSecondOfDay(to * 60L),
                    value));
  }

  private static Arbitrary<AlignmentSettings> alignments() {
    return Combinators.combine(
            Arbitraries.of("a", "None", "Group_1.x-y"),
            durations(Duration.ofMillis(1), Durations.MAX),
            durations(Duration.ofMillis(1), Duration.ofHours(1)),
            Arbitraries.of(OnExceeded.class),
            durations(Duration.ofMillis(1), Durations.MAX).injectNull(0.5))
        .as(PolicyArbitrary::fitting);
  }

  private static AlignmentSettings fitting(
      String group,
      Duration maxDrift,
      Duration updateInterval,
      OnExceeded onExceeded,
      @Nullable Duration skipAfter) {
    Duration fitting = skipAfter;
    if (onExceeded == OnExceeded.AlertOnly) {
      fitting = null;
    } else if (skipAfter == null
        ? onExceeded == OnExceeded.SkipLaggard
        : skipAfter.compareTo(updateInterval) <= 0) {
      fitting = updateInterval.plusMillis(1);
    }
    return new AlignmentSettings(group, maxDrift, updateInterval, onExceeded, fitting);
  }

  private static Arbitrary<LateDataSettings> lateData() {
    return Combinators.combine(
            durations(Duration.ZERO, Durations.MAX),
            Arbitraries.of("late", "late.v2", "...").injectNull(0.4))
        .as(LateDataSettings::new);
  }

  private static Arbitrary<Duration> durations(Duration minimum, Duration maximum) {
    Arbitrary<Duration> any =
        Arbitraries.longs().between(minimum.toMillis(), maximum.toMillis()).map(Duration::ofMillis);
    return Arbitraries.oneOf(any, Arbitraries.of(minimum, maximum, Duration.ofSeconds(5)))
        .filter(value -> value.compareTo(minimum) >= 0 && value.compareTo(maximum) <= 0);
  }
}
