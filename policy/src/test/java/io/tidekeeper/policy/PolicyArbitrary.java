package io.tidekeeper.policy;

import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
            Combinators.combine(
                    durations(Duration.ofMillis(1), Duration.ofMinutes(1)),
                    Arbitraries.integers().between(1, 1_000_000_000).injectNull(0.6))
                .as(Emission::new),
            durations(Duration.ZERO, WEEK).injectNull(0.5),
            durations(Duration.ZERO, Durations.MAX).injectNull(0.5),
            durations(Duration.ofMillis(1), Durations.MAX).injectNull(0.5),
            overrides(),
            alignments().injectNull(0.4),
            lateData())
        .as(PolicyArbitrary::consistent);
  }

  /** Repairs what would be refused together. */
  private static SourceSettings consistent(
      OutOfOrderness strategy,
      Emission emission,
      @Nullable Duration cap,
      @Nullable Duration skew,
      @Nullable Duration idleTimeout,
      List<PartitionOverride> overrides,
      @Nullable AlignmentSettings alignment,
      LateDataSettings lateData) {
    Duration emitInterval = emission.interval();
    Duration highEnough = cap;
    if (cap != null
        && strategy instanceof Bounded bounded
        && bounded.maxOutOfOrderness().compareTo(cap) > 0) {
      highEnough = bounded.maxOutOfOrderness();
    }
    for (PartitionOverride override : overrides) {
      Duration constant = override.maxOutOfOrderness();
      if (highEnough != null && constant != null && constant.compareTo(highEnough) > 0) {
        highEnough = constant;
      }
    }
    List<PartitionOverride> repaired = overrides;
    Duration longEnough = idleTimeout;
    if (alignment != null && alignment.onExceeded() == OnExceeded.PauseLeaders) {
      Duration shortest =
          alignment.updateInterval().plus(emitInterval.multipliedBy(3)).plusMillis(1);
      longEnough =
          idleTimeout == null || idleTimeout.compareTo(shortest) < 0 ? shortest : idleTimeout;
      repaired = overrides.stream().map(override -> atLeast(shortest, override)).toList();
    }
    return new SourceSettings(
        strategy,
        emitInterval,
        emission.everyRecords(),
        highEnough,
        skew,
        longEnough,
        repaired,
        alignment,
        lateData);
  }

  private record Emission(Duration interval, @Nullable Integer everyRecords) {}

  private static PartitionOverride atLeast(Duration shortest, PartitionOverride override) {
    Duration own = override.idleTimeout();
    return own == null || own.compareTo(shortest) >= 0
        ? override
        : new PartitionOverride(
            override.name(),
            override.topic(),
            override.partitions(),
            override.maxOutOfOrderness(),
            shortest);
  }

  private static Arbitrary<OutOfOrderness> strategies() {
    return Arbitraries.oneOf(
        durations(Duration.ZERO, WEEK).map(Bounded::new),
        Arbitraries.of(new Monotonous(), new NoWatermarks(), new Punctuated("wm")),
        throughputs(),
        quantiles(),
        adaptives(),
        schedules());
  }

  private static Arbitrary<Throughput> throughputs() {
    Arbitrary<Map<Long, Duration>> others =
        Arbitraries.maps(
                Arbitraries.longs().between(1, ThroughputTier.MAX_RATE),
                durations(Duration.ZERO, WEEK))
            .ofMaxSize(4);
    return Combinators.combine(
            durations(Duration.ofSeconds(1), Duration.ofHours(1)),
            durations(Duration.ZERO, WEEK),
            others)
        .as(
            (window, lowest, higher) -> {
              List<ThroughputTier> tiers = new ArrayList<>();
              higher.forEach((rate, value) -> tiers.add(new ThroughputTier(rate, value)));
              tiers.add(new ThroughputTier(0, lowest));
              return new Throughput(window, tiers);
            });
  }

  private static Arbitrary<Quantile> quantiles() {
    return Combinators.combine(
            Arbitraries.integers().between(500_000, 999_900).map(Share::new),
            Arbitraries.bigDecimals()
                .between(new BigDecimal("0.1"), new BigDecimal("100"))
                .ofScale(3),
            durations(Duration.ZERO, WEEK),
            durations(Duration.ZERO, WEEK),
            durations(Duration.ofSeconds(1), WEEK),
            Arbitraries.integers().between(1, 1_000_000))
        .as(
            (level, factor, one, other, window, samples) ->
                new Quantile(
                    level, factor, shorter(one, other), longer(one, other), window, samples));
  }

  private static Arbitrary<Adaptive> adaptives() {
    Arbitrary<List<Duration>> limits =
        durations(Duration.ZERO, WEEK).list().ofSize(3).map(any -> any.stream().sorted().toList());
    return Combinators.combine(
            Arbitraries.integers().between(100, 200_000).map(Share::new),
            limits,
            Arbitraries.of(LateShareOver.class))
        .as(
            (share, sorted, over) ->
                new Adaptive(share, sorted.get(0), sorted.get(2), sorted.get(1), over));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? other : one;
  }

  private static Arbitrary<List<PartitionOverride>> overrides() {
    Arbitrary<List<PartitionRange>> ranges =
        Combinators.combine(
                Arbitraries.integers().between(0, 999), Arbitraries.integers().between(0, 9))
            .as((first, more) -> new PartitionRange(first, first + more))
            .list()
            .ofMinSize(1)
            .ofMaxSize(3);
    return Combinators.combine(
            Arbitraries.of("a", "b", "c-1"),
            Arbitraries.of("t", "events.v2"),
            ranges,
            durations(Duration.ZERO, WEEK).injectNull(0.3),
            durations(Duration.ofMillis(1), Durations.MAX).injectNull(0.3))
        .filter((name, topic, partitions, max, idle) -> max != null || idle != null)
        .as(PartitionOverride::new)
        .list()
        .ofMaxSize(2)
        .map(any -> OverrideText.complaintsAbout(any).isEmpty() ? any : List.of());
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
