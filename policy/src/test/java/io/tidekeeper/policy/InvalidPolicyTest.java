package io.tidekeeper.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InvalidPolicyTest {

  private static final String DEFAULT = "tidekeeper.default.";
  private static final String SOURCE = "tidekeeper.source.trips.";

  @Test
  void everyProblemIsReportedAtOnce() {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("tidekeeper.revision", "-1");
    options.put("tidekeeper.revision.number", "1");
    options.put(DEFAULT + "watermark.type", "Bounded");
    options.put(DEFAULT + "watermark.bounded.max-out-of-orderness", "five");
    options.put(DEFAULT + "watermark.emit.interval", "2m");
    options.put(DEFAULT + "watermark.idle-timout", "1m");
    options.put(DEFAULT + "watermark.schedule.clock", "EventTime");
    options.put(DEFAULT + "alignment.group", "subway");
    options.put(DEFAULT + "alignment.on-exceeded", "DropLaggard");
    options.put(DEFAULT + "late.topic", "..");
    options.put("tidekeeper.source.Trips.watermark.type", "None");
    options.put(SOURCE + "watermark.bounded.max-out-of-orderness", "1s");
    options.put(SOURCE + "alignment.max-drift", "1s");
    options.put("tidekeeper.source.other", "x");

    InvalidPolicyException refused = refused(options);
    assertThat(refused.problems())
        .extracting(Problem::option)
        .containsExactlyInAnyOrder(
            "tidekeeper.revision",
            "tidekeeper.revision.number",
            DEFAULT + "watermark.bounded.max-out-of-orderness",
            DEFAULT + "watermark.emit.interval",
            DEFAULT + "watermark.idle-timout",
            DEFAULT + "watermark.schedule.clock",
            DEFAULT + "alignment.max-drift",
            DEFAULT + "alignment.on-exceeded",
            DEFAULT + "late.topic",
            "tidekeeper.source.Trips.watermark.type",
            SOURCE + "watermark.bounded.max-out-of-orderness",
            SOURCE + "alignment.max-drift",
            "tidekeeper.source.other");
    assertThat(refused).hasMessageStartingWith("13 problems in the tidekeeper options:\n");
    for (Problem problem : refused.problems()) {
      assertThat(refused).hasMessageContaining(problem.toString());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "watermark.type | bounded | one of Bounded, Monotonous, Schedule, None, Punctuated",
        "watermark.bounded.max-out-of-orderness | 169h | a duration from 0s to 168h",
        "watermark.bounded.max-out-of-orderness | 5 | like 1m30s or 200ms",
        "watermark.emit.interval | 0s | a duration from 1ms to 1m",
        "watermark.emit.interval | none | a duration from 1ms to 1m",
        "watermark.max-out-of-orderness-cap | 169h | a duration from 0s to 168h",
        "watermark.max-future-skew | -1s | a duration from 0s to 8760h",
        "watermark.idle-timeout | 0s | a duration from 1ms to 8760h",
        "late.allowed-lateness | 8761h | 8760h",
        "late.topic | a/b | a Kafka topic name",
        "late.topic | . | a Kafka topic name",
        "watermark.emit.every-records | 0 | a whole number from 1 to 1000000000",
        "watermark.emit.every-records | 1.5 | a whole number from 1 to 1000000000",
        "alignment.max-drift | 8s | needs alignment.group",
        "alignment.skip-after | 8s | needs alignment.group",
        "watermark.schedule.default | 5s | not an option of watermark.type Bounded",
        "watermark.emit-interval | 1s | did you mean watermark.emit.interval?",
        "alignment.maxDrift | 1s | did you mean alignment.max-drift?",
      })
  void aBadValueIsRefusedWithWhatIsAllowed(String option, String value, String message) {
    Map<String, String> options = new HashMap<>(bounded());
    options.put(DEFAULT + option, value);
    Problem problem = onlyProblem(options);
    assertThat(problem.option()).isEqualTo(DEFAULT + option);
    assertThat(problem.value()).isEqualTo(value);
    assertThat(problem.message()).contains(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "watermark.schedule.time-zone | Asia/Hong_King | did you mean Asia/Hong_Kong?",
        "watermark.schedule.clock | Wall | one of EventTime, ProcessingTime",
        "watermark.schedule.default | 169h | a duration from 0s to 168h",
        "watermark.schedule.windows | Mon 7-9 30s | like Mon-Fri 07:00-09:30 30s",
        "watermark.schedule.windows | Mo 07:00-09:00 30s | 'Mo' is not a day",
        "watermark.schedule.windows | Mon, 07:00-09:00 30s | '' is not a day",
        "watermark.schedule.windows | Mon 07:00-25:00 30s | '25:00' is not a time",
        "watermark.schedule.windows | Mon 24:00-07:00 30s | '24:00' is not a time",
        "watermark.schedule.windows | Mon 07:00-07:00 30s | from and to are equal",
        "watermark.schedule.windows | Mon 00:00-00:00 30s | the whole day is written 00:00-24:00",
        "watermark.schedule.windows | Mon 07:00-09:00 30 | '30' is not a duration",
        "watermark.schedule.windows | Mon 07:00-09:00 169h | a duration from 0s to 168h",
      })
  void aBadScheduleIsRefusedWithWhatIsAllowed(String option, String value, String message) {
    Map<String, String> options = new HashMap<>(schedule("Mon 07:00-09:30 30s"));
    options.put(DEFAULT + option, value);
    Problem problem = onlyProblem(options);
    assertThat(problem.option()).isEqualTo(DEFAULT + option);
    assertThat(problem.value()).isEqualTo(value);
    assertThat(problem.message()).contains(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Punctuated | punctuated.field | a b | 1 to 63 of the characters",
        "Throughput | throughput.window | 500ms | a duration from 1s to 1h",
        "Throughput | throughput.tiers | 100 30s | needs a tier from 0 records per second on",
        "Throughput | throughput.tiers | 0 5s; 0 6s | two tiers from 0 records per second on",
        "Throughput | throughput.tiers | 0 5s; fast 30s | tier 'fast 30s': write a rate",
        "Throughput | throughput.tiers | 0 5s; 9 169h | a duration from 0s to 168h",
        "Throughput | throughput.tiers | 0 5s; 2000000000 5s | 0 to 1000000000 records per second",
        "Throughput | throughput.tiers | 0 5s; 9 30 | '30' is not a duration",
        "Throughput | quantile.level | 99% | not an option of watermark.type Throughput",
        "Quantile | quantile.level | 99 | like 1% or 0.05%",
        "Quantile | quantile.level | 40% | a share from 50% to 99.99%",
        "Quantile | quantile.level | 99.999% | a share from 50% to 99.99%",
        "Quantile | quantile.factor | 1,5 | a number from 0.1 to 100",
        "Quantile | quantile.factor | 1.2345 | up to three decimals",
        "Quantile | quantile.factor | 0 | a number from 0.1 to 100",
        "Quantile | quantile.min | 61s | must not be above watermark.quantile.max, which is 1m",
        "Quantile | quantile.window | 0s | a duration from 1s to 168h",
        "Quantile | quantile.min-samples | 0 | a whole number from 1 to 1000000",
        "Adaptive | adaptive.late-share | 21% | a share from 0.01% to 20%",
        "Adaptive | adaptive.late-share | 0.00001% | like 1% or 0.05%",
        "Adaptive | adaptive.late-share | 101% | a share from 0.01% to 20%",
        "Adaptive | adaptive.initial | 500ms | must not be below watermark.adaptive.min, which is 1s",
        "Adaptive | adaptive.initial | 2m | must not be above watermark.adaptive.max, which is 1m",
        "Adaptive | adaptive.late-share-over | Day | one of WholeStream, EachHour",
      })
  void aBadStrategyIsRefusedWithWhatIsAllowed(
      String type, String option, String value, String message) {
    Map<String, String> options = new HashMap<>(learning(type));
    options.put(DEFAULT + "watermark." + option, value);
    Problem problem = onlyProblem(options);
    assertThat(problem.option()).isEqualTo(DEFAULT + "watermark." + option);
    assertThat(problem.value()).isEqualTo(value);
    assertThat(problem.message()).contains(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "depot events | write name, topic, partitions and what differs",
        "depot events 3 | override 'depot' changes nothing",
        "Depot events 3 idle-timeout=2m | 1 to 63 of the characters a-z 0-9 -",
        "depot a/b 3 idle-timeout=2m | a Kafka topic name",
        "depot events x idle-timeout=2m | 'x' is not a partition",
        "depot events 3, idle-timeout=2m | '' is not a partition",
        "depot events 9-7 idle-timeout=2m | runs backwards; write 7-9",
        "depot events 1000000 idle-timeout=2m | numbers from 0 to 999999",
        "depot events 3 idle-timeout=0s | a duration from 1ms to 8760h",
        "depot events 3 max-out-of-orderness=169h | a duration from 0s to 168h",
        "depot events 3 max-out-of-orderness=5 | '5' is not a duration",
        "depot events 3 45s | '45s' is not understood; write max-out-of-orderness=45s",
        "depot events 3 idle-timeout=1m idle-timeout=2m | each at most once",
        "a events 3 idle-timeout=2m; a events 4 idle-timeout=2m | two overrides named 'a'",
        "a events 3-6 idle-timeout=2m; b events 5,9 idle-timeout=2m | partition 5 of topic events",
        "a events 3 idle-timeout=2m; | write name, topic, partitions",
      })
  void aBadPartitionOverrideIsRefusedWithWhatIsAllowed(String value, String message) {
    Map<String, String> options = new HashMap<>(bounded());
    options.put(DEFAULT + "watermark.partition-overrides", value);
    Problem problem = onlyProblem(options);
    assertThat(problem.option()).isEqualTo(DEFAULT + "watermark.partition-overrides");
    assertThat(problem.value()).isEqualTo(value);
    assertThat(problem.message()).contains(message);
  }

  @Test
  void overridesObeyTheCapAndTheAlignmentToo() {
    Map<String, String> options = new HashMap<>(bounded());
    options.put(
        DEFAULT + "watermark.partition-overrides", "depot events 3 max-out-of-orderness=45s");
    options.put(DEFAULT + "watermark.max-out-of-orderness-cap", "40s");
    assertThat(onlyProblem(options).message())
        .isEqualTo("override 'depot': 45s is above the watermark.max-out-of-orderness-cap of 40s");

    Map<String, String> pausing = new HashMap<>(aligned());
    pausing.put(DEFAULT + "watermark.idle-timeout", "1m");
    pausing.put(DEFAULT + "watermark.partition-overrides", "depot events 3 idle-timeout=1s600ms");
    assertThat(onlyProblem(pausing).message()).contains("'depot'", "longer than 1s600ms");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Mon-Fri 07:00-09:30 30s | Fri 09:00-10:00 10s | Fri at 09:00",
        "Mon 22:00-02:00 30s | Tue 01:59-03:00 10s | Tue at 01:59",
        "Sun 22:00-02:00 30s | Mon 01:00-03:00 10s | Mon at 01:00",
        "Sun 00:00-24:00 30s | Sat 23:00-00:01 10s | Sun at 00:00",
        "Mon 07:00-08:00 30s | Mon 07:00-08:00 30s | Mon at 07:00",
      })
  void overlappingWindowsAreBothNamed(String first, String second, String where) {
    Problem problem = onlyProblem(schedule(first + "; " + second));
    assertThat(problem.message()).contains("overlap", where);
    for (String window : List.of(first, second)) {
      assertThat(problem.message()).contains(ScheduleText.format(ScheduleText.parseWindow(window)));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Mon 22:00-02:00 30s; Tue 02:00-03:00 10s",
    "Sun 22:00-24:00 30s; Mon 00:00-03:00 10s",
    "Mon 07:00-08:00 30s; Mon 08:00-09:00 30s; Tue 07:30-08:30 1s",
  })
  void windowsThatOnlyTouchAreFine(String windows) {
    assertThat(PolicyOptions.read(schedule(windows))).isNotNull();
  }

  @Test
  void requiredMembersAreNamed() {
    assertThat(refused(Map.of(DEFAULT + "watermark.type", "Schedule")).problems())
        .extracting(Problem::option)
        .containsExactly(
            DEFAULT + "watermark.schedule.time-zone",
            DEFAULT + "watermark.schedule.default",
            DEFAULT + "watermark.schedule.windows");
    Problem bounded = onlyProblem(Map.of(DEFAULT + "watermark.type", "Bounded"));
    assertThat(bounded)
        .hasToString(
            DEFAULT
                + "watermark.bounded.max-out-of-orderness (not set): is required: a duration from"
                + " 0s to 168h");
  }

  @Test
  void theDefaultsNeedATypeEvenWhenOnlySourcesAreGiven() {
    Problem problem = onlyProblem(Map.of(SOURCE + "watermark.type", "Monotonous"));
    assertThat(problem.option()).isEqualTo(DEFAULT + "watermark.type");
  }

  @Test
  void aConstantAboveTheCapIsRefused() {
    Map<String, String> options = new HashMap<>(bounded());
    options.put(DEFAULT + "watermark.max-out-of-orderness-cap", "4s");
    Problem problem = onlyProblem(options);
    assertThat(problem.option()).isEqualTo(DEFAULT + "watermark.bounded.max-out-of-orderness");
    assertThat(problem.message()).contains("5s", "4s");
  }

  @Test
  void aScheduledValueAboveTheCapIsNotRefused() {
    Map<String, String> options = new HashMap<>(schedule("Mon 07:00-09:30 30s"));
    options.put(DEFAULT + "watermark.max-out-of-orderness-cap", "10s");
    assertThat(PolicyOptions.read(options)).isNotNull();
  }

  @Test
  void alignmentThatPausesNeedsALongEnoughIdleTimeout() {
    Map<String, String> options = new HashMap<>(aligned());
    assertThat(onlyProblem(options).option()).isEqualTo(DEFAULT + "watermark.idle-timeout");
    // Update interval 1 s + 3 x emit interval 200 ms.
    options.put(DEFAULT + "watermark.idle-timeout", "1s600ms");
    assertThat(onlyProblem(options).message()).contains("longer than 1s600ms");
    options.put(DEFAULT + "watermark.idle-timeout", "1s601ms");
    assertThat(PolicyOptions.read(options)).isNotNull();
  }

  @Test
  void theGroupIsAName() {
    Map<String, String> options = new HashMap<>(aligned());
    options.put(DEFAULT + "alignment.group", "a b");
    assertThat(onlyProblem(options).message()).contains("1 to 63 of the characters");
  }

  @Test
  void aWrongDriftDoesNotHideAMissingIdleTimeout() {
    Map<String, String> options = new HashMap<>(aligned());
    options.put(DEFAULT + "alignment.max-drift", "0s");
    assertThat(refused(options).problems())
        .extracting(Problem::option)
        .containsExactly(DEFAULT + "alignment.max-drift", DEFAULT + "watermark.idle-timeout");
  }

  @Test
  void aWrongIdleTimeoutIsNotCalledMissing() {
    Map<String, String> options = new HashMap<>(aligned());
    options.put(DEFAULT + "watermark.idle-timeout", "one minute");
    assertThat(onlyProblem(options).value()).isEqualTo("one minute");
  }

  @Test
  void alignmentThatOnlyAlertsNeedsNoIdleTimeout() {
    Map<String, String> options = new HashMap<>(aligned());
    options.put(DEFAULT + "alignment.on-exceeded", "AlertOnly");
    assertThat(PolicyOptions.read(options)).isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SkipLaggard | | is required with alignment.on-exceeded SkipLaggard",
        "AlertOnly | 30s | is not an option of alignment.on-exceeded AlertOnly",
        "SkipLaggard | 1s | must be longer than alignment.update-interval of 1s",
        "PauseLeaders | 500ms | must be longer than alignment.update-interval of 1s",
        "PauseLeaders | 8761h | a duration from 1ms to 8760h",
        "SkipLaggard | soon | a duration from 1ms to 8760h",
      })
  void theTimeAfterWhichToSkipFitsTheRest(String onExceeded, String skipAfter, String message) {
    Map<String, String> options = new HashMap<>(aligned());
    options.put(DEFAULT + "watermark.idle-timeout", "1m");
    options.put(DEFAULT + "alignment.on-exceeded", onExceeded);
    if (skipAfter != null) {
      options.put(DEFAULT + "alignment.skip-after", skipAfter);
    }
    Problem problem = onlyProblem(options);
    assertThat(problem.option()).isEqualTo(DEFAULT + "alignment.skip-after");
    assertThat(problem.message()).contains(message);
  }

  @Test
  void aWrongUpdateIntervalIsNotBlamedOnTheTimeAfterWhichToSkip() {
    Map<String, String> options = new HashMap<>(aligned());
    options.put(DEFAULT + "watermark.idle-timeout", "1m");
    options.put(DEFAULT + "alignment.update-interval", "one");
    options.put(DEFAULT + "alignment.skip-after", "500ms");
    assertThat(onlyProblem(options).option()).isEqualTo(DEFAULT + "alignment.update-interval");
  }

  @Test
  void whatTheDefaultsViolateIsReportedOnce() {
    Map<String, String> options = new HashMap<>(aligned());
    options.put(SOURCE + "late.topic", "late");
    assertThat(onlyProblem(options).option()).startsWith(DEFAULT);
  }

  @Test
  void aSourceThatBreaksARuleByItsOwnValueIsReported() {
    Map<String, String> options = new HashMap<>(bounded());
    options.put(SOURCE + "watermark.max-out-of-orderness-cap", "1s");
    assertThat(onlyProblem(options).option()).startsWith(SOURCE);
  }

  @Test
  void whatASourceReplacesIsJudgedEvenWhenTheDefaultsAreWrong() {
    Map<String, String> options = new HashMap<>(aligned());
    options.put(DEFAULT + "watermark.bounded.max-out-of-orderness", "five");
    options.put(DEFAULT + "watermark.max-out-of-orderness-cap", "4s");
    options.put(DEFAULT + "alignment.update-interval", "one");
    options.put(SOURCE + "watermark.type", "Bounded");
    options.put(SOURCE + "watermark.bounded.max-out-of-orderness", "5s");
    options.put(SOURCE + "alignment.group", "trips");
    options.put(SOURCE + "alignment.max-drift", "8s");
    assertThat(refused(options).problems())
        .extracting(Problem::option)
        .containsExactlyInAnyOrder(
            DEFAULT + "watermark.bounded.max-out-of-orderness",
            DEFAULT + "alignment.update-interval",
            SOURCE + "watermark.bounded.max-out-of-orderness",
            SOURCE + "watermark.idle-timeout");
  }

  @Test
  void membersNeedTheirLeadingOptionInTheSameSource() {
    Map<String, String> options = new HashMap<>(bounded());
    options.put(SOURCE + "watermark.bounded.max-out-of-orderness", "1s");
    assertThat(onlyProblem(options).message()).contains("watermark.type");
    options.put(SOURCE + "watermark.type", "Bounded");
    assertThat(PolicyOptions.read(options)).isNotNull();
    options.put(SOURCE + "alignment.group", "none");
    options.put(SOURCE + "alignment.max-drift", "1s");
    assertThat(onlyProblem(options).message()).isEqualTo("alignment.group is none");
  }

  @ParameterizedTest
  @CsvSource({"-1", "1.5", "9223372036854775808", "x", "''"})
  void theRevisionIsAWholeNumber(String revision) {
    assertThat(onlyProblem(Map.of("tidekeeper.revision", revision)).option())
        .isEqualTo("tidekeeper.revision");
  }

  @ParameterizedTest
  @CsvSource({
    "Trips",
    "my_trips",
    "''",
    "a234567890123456789012345678901234567890123456789012345678901234"
  })
  void sourceNamesAreChecked(String name) {
    Map<String, String> options = new HashMap<>(bounded());
    options.put("tidekeeper.source." + name + ".watermark.type", "None");
    assertThat(onlyProblem(options).message()).contains("1 to 63 of the characters a-z 0-9 -");
  }

  private static Map<String, String> bounded() {
    return Map.of(
        DEFAULT + "watermark.type", "Bounded",
        DEFAULT + "watermark.bounded.max-out-of-orderness", "5s");
  }

  private static Map<String, String> learning(String type) {
    String prefix = DEFAULT + "watermark.";
    Map<String, String> options = new HashMap<>(Map.of(prefix + "type", type));
    switch (type) {
      case "Throughput" -> options.put(prefix + "throughput.tiers", "0 5s; 100 30s");
      case "Quantile" -> {
        options.put(prefix + "quantile.level", "99%");
        options.put(prefix + "quantile.max", "1m");
      }
      case "Adaptive" -> {
        options.put(prefix + "adaptive.late-share", "1%");
        options.put(prefix + "adaptive.min", "1s");
        options.put(prefix + "adaptive.max", "1m");
        options.put(prefix + "adaptive.initial", "30s");
      }
      default -> assertThat(type).isEqualTo("Punctuated");
    }
    return options;
  }

  private static Map<String, String> aligned() {
    Map<String, String> options = new HashMap<>(bounded());
    options.put(DEFAULT + "alignment.group", "subway");
    options.put(DEFAULT + "alignment.max-drift", "8s");
    return options;
  }

  private static Map<String, String> schedule(String windows) {
    return Map.of(
        DEFAULT + "watermark.type", "Schedule",
        DEFAULT + "watermark.schedule.time-zone", "Asia/Shanghai",
        DEFAULT + "watermark.schedule.default", "5s",
        DEFAULT + "watermark.schedule.windows", windows);
  }

  private static Problem onlyProblem(Map<String, String> options) {
    InvalidPolicyException refused = refused(options);
    assertThat(refused.problems()).hasSize(1);
    return refused.problems().get(0);
  }

  private static InvalidPolicyException refused(Map<String, String> options) {
    InvalidPolicyException refused =
        catchThrowableOfType(InvalidPolicyException.class, () -> PolicyOptions.read(options));
    assertThat(refused).isNotNull();
    return refused;
  }
}
