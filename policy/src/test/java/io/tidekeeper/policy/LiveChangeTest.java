package io.tidekeeper.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LiveChangeTest {

  private static final String DEFAULT = "tidekeeper.default.";

  @ParameterizedTest
  @CsvSource({
    "watermark.bounded.max-out-of-orderness, 30s",
    "watermark.max-out-of-orderness-cap, 50s",
    "watermark.max-out-of-orderness-cap, none",
    "watermark.max-future-skew, 1m",
    "watermark.max-future-skew, none",
    "watermark.partition-overrides, depot events 3 max-out-of-orderness=45s",
    "alignment.skip-after, 10s",
  })
  void valuesOfStrategiesSkewAndSkipTimesChangeWithoutARestart(String option, String value) {
    assertThat(needingRestart(Map.of(DEFAULT + option, value))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "watermark.emit.interval, 100ms",
    "watermark.emit.every-records, 1000",
    "watermark.idle-timeout, 2m",
    "alignment.group, other",
    "alignment.max-drift, 9s",
    "alignment.update-interval, 2s",
    "alignment.on-exceeded, SkipLaggard",
    "late.allowed-lateness, 1s",
    "late.topic, other",
    "late.topic, none",
  })
  void whatFlinkFixesAtTheStartNeedsARestart(String option, String value) {
    assertThat(needingRestart(Map.of(DEFAULT + option, value))).containsExactly(DEFAULT + option);
  }

  /** A new option must be thought about: can a running job take it over? */
  @Test
  void everyOptionIsOnOneSideOfTheTable() {
    assertThat(Arrays.stream(PolicyOption.values()).filter(option -> !option.live()))
        .containsExactly(
            PolicyOption.PUNCTUATED_FIELD,
            PolicyOption.EMIT_INTERVAL,
            PolicyOption.EMIT_EVERY_RECORDS,
            PolicyOption.IDLE_TIMEOUT,
            PolicyOption.ALIGNMENT_GROUP,
            PolicyOption.ALIGNMENT_MAX_DRIFT,
            PolicyOption.ALIGNMENT_UPDATE_INTERVAL,
            PolicyOption.ALIGNMENT_ON_EXCEEDED,
            PolicyOption.ALLOWED_LATENESS,
            PolicyOption.LATE_TOPIC);
  }

  @Test
  void anotherStrategyNeedsNoRestart() {
    Map<String, String> options = new HashMap<>(running());
    options.keySet().removeIf(key -> key.contains(".bounded."));
    options.put(DEFAULT + "watermark.type", "Monotonous");
    assertThat(LiveChange.needingRestart(read(running()), read(options))).isEmpty();
  }

  /** Of single partitions, that is; the source's own needs a restart. */
  @Test
  void anIdleTimeoutOfSomePartitionsNeedsNoRestart() {
    assertThat(
            needingRestart(
                Map.of(
                    DEFAULT + "watermark.partition-overrides",
                    "depot events 3 idle-timeout=10s; yard events 4 max-out-of-orderness=9s")))
        .isEmpty();
  }

  @Test
  void theRevisionAndTheSpellingAreNoDifference() {
    assertThat(
            needingRestart(
                Map.of("tidekeeper.revision", "9", DEFAULT + "watermark.idle-timeout", "60s")))
        .isEmpty();
  }

  @Test
  void whatASourceOverridesIsNamedAtTheSource() {
    assertThat(
            needingRestart(
                Map.of(
                    "tidekeeper.source.backfill.watermark.type", "Monotonous",
                    "tidekeeper.source.backfill.late.topic", "backfill-late")))
        .containsExactly("tidekeeper.source.backfill.late.topic");
    Map<String, String> before = new HashMap<>(running());
    before.put("tidekeeper.source.backfill.watermark.idle-timeout", "5m");
    assertThat(LiveChange.needingRestart(read(before), read(running())))
        .containsExactly("tidekeeper.source.backfill.watermark.idle-timeout");
  }

  @Test
  void whatAllSourcesInheritIsNamedOnce() {
    Map<String, String> before = new HashMap<>(running());
    before.put("tidekeeper.source.backfill.watermark.type", "Monotonous");
    Map<String, String> after = new HashMap<>(before);
    after.put(DEFAULT + "late.topic", "other");
    assertThat(LiveChange.needingRestart(read(before), read(after)))
        .containsExactly(DEFAULT + "late.topic");
  }

  private static Iterable<String> needingRestart(Map<String, String> change) {
    Map<String, String> options = new HashMap<>(running());
    options.putAll(change);
    return LiveChange.needingRestart(read(running()), read(options));
  }

  private static Map<String, String> running() {
    Map<String, String> options = new HashMap<>();
    options.put("tidekeeper.revision", "3");
    options.put(DEFAULT + "watermark.type", "Bounded");
    options.put(DEFAULT + "watermark.bounded.max-out-of-orderness", "5s");
    options.put(DEFAULT + "watermark.max-out-of-orderness-cap", "1m");
    options.put(DEFAULT + "watermark.max-future-skew", "5m");
    options.put(DEFAULT + "watermark.idle-timeout", "1m");
    options.put(DEFAULT + "alignment.group", "subway");
    options.put(DEFAULT + "alignment.max-drift", "8s");
    options.put(DEFAULT + "alignment.skip-after", "30s");
    options.put(DEFAULT + "late.topic", "late");
    return options;
  }

  private static PolicySettings read(Map<String, String> options) {
    return Objects.requireNonNull(PolicyOptions.read(options));
  }
}
