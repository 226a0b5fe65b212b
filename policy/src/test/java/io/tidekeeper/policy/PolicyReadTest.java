package io.tidekeeper.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PolicyReadTest {

  @Test
  void withoutOptionsThereIsNoPolicy() {
    assertThat(PolicyOptions.read(Map.of())).isNull();
    assertThat(PolicyOptions.read(Map.of("tidekeeper.revision", "3"))).isNull();
    assertThat(PolicyOptions.read(Map.of("tidekeeper.pipeline", "subway", "state.backend", "x")))
        .isNull();
  }

  @Test
  void onlyPolicyKeysAreOwned() {
    assertThat(List.of("tidekeeper.revision", "tidekeeper.default.x", "tidekeeper.source.a.x"))
        .allMatch(PolicyOptions::owns);
    assertThat(List.of("tidekeeper.pipeline", "tidekeeper.defaults.x", "tidekeeper", "default.x"))
        .noneMatch(PolicyOptions::owns);
  }

  @Test
  void whatIsNotGivenHasItsDefault() {
    PolicySettings policy = read(Map.of("tidekeeper.default.watermark.type", "Monotonous"));
    assertThat(policy.revision()).isZero();
    assertThat(policy.sources()).isEmpty();
    assertThat(policy.defaults())
        .isEqualTo(
            new SourceSettings(
                new Monotonous(),
                Duration.ofMillis(200),
                null,
                null,
                null,
                null,
                new LateDataSettings(Duration.ZERO, null)));
  }

  @Test
  void scheduleWindowsAreReadInAllTheirSpellings() {
    PolicySettings policy =
        read(
            Map.of(
                "tidekeeper.default.watermark.type", "Schedule",
                "tidekeeper.default.watermark.schedule.time-zone", "Asia/Shanghai",
                "tidekeeper.default.watermark.schedule.default", "5s",
                "tidekeeper.default.watermark.schedule.windows",
                    "Sat-Mon 22:00-00:00 10s;Tue,Thu-Fri 7:00-09:30 30s; Wed 00:00-24:00 1m"));
    LocalTime midnight = LocalTime.MIDNIGHT;
    assertThat(policy.defaults().outOfOrderness())
        .isEqualTo(
            new Schedule(
                ZoneId.of("Asia/Shanghai"),
                ScheduleClock.EventTime,
                Duration.ofSeconds(5),
                List.of(
                    new ScheduleWindow(
                        EnumSet.of(DayOfWeek.TUESDAY, DayOfWeek.THURSDAY, DayOfWeek.FRIDAY),
                        LocalTime.of(7, 0),
                        LocalTime.of(9, 30),
                        Duration.ofSeconds(30)),
                    new ScheduleWindow(
                        Set.of(DayOfWeek.WEDNESDAY), midnight, midnight, Duration.ofMinutes(1)),
                    new ScheduleWindow(
                        EnumSet.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY, DayOfWeek.MONDAY),
                        LocalTime.of(22, 0),
                        midnight,
                        Duration.ofSeconds(10)))));
    assertThat(PolicyOptions.write(policy))
        .containsEntry(
            "tidekeeper.default.watermark.schedule.windows",
            "Mon,Sat,Sun 22:00-24:00 10s; Tue,Thu,Fri 07:00-09:30 30s; Wed 00:00-24:00 1m");
  }

  @Test
  void everyStrategyIsReadAndWrittenCanonically() {
    assertThat(strategy(Map.of("type", "Punctuated"))).isEqualTo(new Punctuated("watermark"));
    assertThat(strategy(Map.of("type", "Throughput", "throughput.tiers", " 100  30s ;0 5000ms")))
        .isEqualTo(
            new Throughput(
                Duration.ofSeconds(10),
                List.of(
                    new ThroughputTier(0, Duration.ofSeconds(5)),
                    new ThroughputTier(100, Duration.ofSeconds(30)))));
    Map<String, String> quantile =
        Map.of(
            "type", "Quantile",
            "quantile.level", "099.0%",
            "quantile.factor", "1.50",
            "quantile.max", "60s");
    assertThat(strategy(quantile))
        .isEqualTo(
            new Quantile(
                Share.parse("99%"),
                new BigDecimal("1.5"),
                Duration.ZERO,
                Duration.ofMinutes(1),
                Duration.ofMinutes(10),
                1000));
    Map<String, String> adaptive =
        Map.of(
            "type", "Adaptive",
            "adaptive.late-share", "0.05%",
            "adaptive.max", "60s",
            "adaptive.initial", "30s");
    assertThat(strategy(adaptive))
        .isEqualTo(
            new Adaptive(
                new Share(500),
                Duration.ZERO,
                Duration.ofMinutes(1),
                Duration.ofSeconds(30),
                LateShareOver.WholeStream));
    assertThat(PolicyOptions.write(read(defaults(quantile))))
        .containsEntry("tidekeeper.default.watermark.quantile.level", "99%")
        .containsEntry("tidekeeper.default.watermark.quantile.factor", "1.5")
        .containsEntry("tidekeeper.default.watermark.quantile.min-samples", "1000");
  }

  @Test
  void partitionOverridesAreReadAndWrittenCanonically() {
    Map<String, String> options = new HashMap<>(alignedDefaults());
    options.put(
        "tidekeeper.default.watermark.partition-overrides",
        "slow  other 5 idle-timeout=120s; depot subway-events 9,7-8,3 max-out-of-orderness=45s");
    options.put("tidekeeper.source.backfill.watermark.partition-overrides", "none");
    PolicySettings policy = read(options);
    assertThat(PolicyOptions.write(policy))
        .containsEntry(
            "tidekeeper.default.watermark.partition-overrides",
            "depot subway-events 3,7-9 max-out-of-orderness=45s; slow other 5 idle-timeout=2m")
        .containsEntry("tidekeeper.source.backfill.watermark.partition-overrides", "none");
    assertThat(policy.forSource("backfill").partitionOverrides()).isEmpty();

    SourceSettings trips = policy.forSource("trips");
    assertThat(trips.overrideFor("subway-events-8"))
        .isEqualTo(
            new PartitionOverride(
                "depot",
                "subway-events",
                List.of(new PartitionRange(7, 9), new PartitionRange(3, 3)),
                Duration.ofSeconds(45),
                null));
    assertThat(trips.idleTimeoutFor("subway-events-8")).isEqualTo(Duration.ofMinutes(1));
    assertThat(trips.idleTimeoutFor("other-5")).isEqualTo(Duration.ofMinutes(2));
    for (String split :
        List.of(
            "subway-events-4",
            "subway-events-",
            "subway-events",
            "x-subway-events-3",
            "",
            "3",
            "subway-events-3-3",
            "subway-events-99999999999",
            "subway-eventsx3")) {
      assertThat(trips.overrideFor(split)).as(split).isNull();
    }
  }

  @Test
  void emissionByCountIsOptional() {
    Map<String, String> options = new HashMap<>(alignedDefaults());
    options.put("tidekeeper.default.watermark.emit.every-records", "1000");
    options.put("tidekeeper.source.backfill.watermark.emit.every-records", "none");
    assertThat(read(options).defaults().emitEveryRecords()).isEqualTo(1000);
    assertThat(read(options).forSource("backfill").emitEveryRecords()).isNull();
    assertThat(read(alignedDefaults()).defaults().emitEveryRecords()).isNull();
  }

  /** An older job refuses what it does not know, so a policy says which format it needs. */
  @Test
  void aPolicyNeedsTheFormatOfItsNewestOptionOrValue() {
    assertThat(PolicyOptions.POLICY_FORMAT).isEqualTo(2);
    assertThat(PolicyOptions.formatOf(read(alignedDefaults()))).isEqualTo(1);
    Map<String, String> newer =
        Map.of(
            "tidekeeper.default.watermark.emit.every-records", "1000",
            "tidekeeper.source.backfill.watermark.type", "Punctuated",
            "tidekeeper.source.backfill.watermark.partition-overrides",
                "depot events 3 max-out-of-orderness=45s",
            "tidekeeper.default.alignment.skip-after", "30s");
    newer.forEach(
        (key, value) -> {
          Map<String, String> options = new HashMap<>(alignedDefaults());
          options.put(key, value);
          assertThat(PolicyOptions.formatOf(read(options))).as(key).isEqualTo(2);
        });
    Map<String, String> skipping = new HashMap<>(alignedDefaults());
    skipping.put("tidekeeper.default.alignment.skip-after", "30s");
    skipping.put("tidekeeper.default.alignment.on-exceeded", "SkipLaggard");
    assertThat(PolicyOptions.formatOf(read(skipping))).isEqualTo(2);
  }

  private static OutOfOrderness strategy(Map<String, String> options) {
    return read(defaults(options)).defaults().outOfOrderness();
  }

  private static Map<String, String> defaults(Map<String, String> options) {
    Map<String, String> prefixed = new HashMap<>();
    options.forEach((key, value) -> prefixed.put("tidekeeper.default.watermark." + key, value));
    return prefixed;
  }

  @Test
  void aSourceInheritsWhatItDoesNotSay() {
    Map<String, String> options = new HashMap<>(alignedDefaults());
    options.put("tidekeeper.source.backfill.watermark.emit.interval", "1s");
    SourceSettings backfill = read(options).forSource("backfill");
    SourceSettings live = read(options).forSource("live");
    assertThat(backfill.emitInterval()).isEqualTo(Duration.ofSeconds(1));
    assertThat(backfill.outOfOrderness()).isEqualTo(live.outOfOrderness());
    assertThat(backfill.alignment()).isEqualTo(live.alignment()).isNotNull();
    assertThat(backfill.lateData().topic()).isEqualTo("late");
    assertThat(live).isEqualTo(read(options).defaults());
  }

  @Test
  void noneUnsetsWhatWouldBeInherited() {
    Map<String, String> options = new HashMap<>(alignedDefaults());
    options.put("tidekeeper.source.backfill.alignment.group", "none");
    options.put("tidekeeper.source.backfill.watermark.idle-timeout", "none");
    options.put("tidekeeper.source.backfill.watermark.max-future-skew", "none");
    options.put("tidekeeper.source.backfill.watermark.max-out-of-orderness-cap", "none");
    options.put("tidekeeper.source.backfill.late.topic", "none");
    assertThat(read(options).forSource("backfill"))
        .isEqualTo(SourceSettings.fallback(Duration.ofSeconds(5)));
  }

  @Test
  void aSourceReplacesStrategyAndAlignmentAsAWhole() {
    Map<String, String> options = new HashMap<>(alignedDefaults());
    options.put("tidekeeper.default.alignment.update-interval", "2s");
    options.put("tidekeeper.source.backfill.watermark.type", "Monotonous");
    options.put("tidekeeper.source.backfill.alignment.group", "other");
    options.put("tidekeeper.source.backfill.alignment.max-drift", "1h");
    SourceSettings backfill = read(options).forSource("backfill");
    assertThat(backfill.outOfOrderness()).isEqualTo(new Monotonous());
    assertThat(backfill.alignment())
        .isEqualTo(
            new AlignmentSettings(
                "other", Duration.ofHours(1), Duration.ofSeconds(1), OnExceeded.PauseLeaders));
  }

  @Test
  void aSourceSaysOnlyWhatDiffersAndItsStrategy() {
    Map<String, String> options = new HashMap<>(alignedDefaults());
    options.put("tidekeeper.source.backfill.late.topic", "none");
    options.put("tidekeeper.source.backfill.watermark.emit.interval", "200ms");
    assertThat(PolicyOptions.write(read(options)))
        .containsAllEntriesOf(
            Map.of(
                "tidekeeper.source.backfill.watermark.type", "Bounded",
                "tidekeeper.source.backfill.watermark.bounded.max-out-of-orderness", "5s",
                "tidekeeper.source.backfill.late.topic", "none"))
        .doesNotContainKey("tidekeeper.source.backfill.watermark.emit.interval")
        .doesNotContainKey("tidekeeper.source.backfill.alignment.group");
  }

  /** The hash is compared across releases and machines, so it is pinned here. */
  @Test
  void theHashOfAKnownPolicyIsPinned() {
    assertThat(read(alignedDefaults()).hash()).isEqualTo("19afbda5106678f4");
  }

  private static Map<String, String> alignedDefaults() {
    return Map.of(
        "tidekeeper.default.watermark.type", "Bounded",
        "tidekeeper.default.watermark.bounded.max-out-of-orderness", "5s",
        "tidekeeper.default.watermark.max-out-of-orderness-cap", "1m",
        "tidekeeper.default.watermark.max-future-skew", "5m",
        "tidekeeper.default.watermark.idle-timeout", "1m",
        "tidekeeper.default.alignment.group", "subway",
        "tidekeeper.default.alignment.max-drift", "8s",
        "tidekeeper.default.late.topic", "late");
  }

  private static PolicySettings read(Map<String, String> options) {
    return Objects.requireNonNull(PolicyOptions.read(options));
  }
}
