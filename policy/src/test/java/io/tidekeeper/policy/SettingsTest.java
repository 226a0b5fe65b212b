package io.tidekeeper.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SettingsTest {

  private static final SourceSettings FIVE_SECONDS = SourceSettings.fallback(Duration.ofSeconds(5));
  private static final LateDataSettings LATE = new LateDataSettings(Duration.ZERO, null);

  @Test
  void theFallbackIsAConstantAndNothingElse() {
    assertThat(FIVE_SECONDS)
        .isEqualTo(
            new SourceSettings(
                new Bounded(Duration.ofSeconds(5)),
                Duration.ofMillis(200),
                null,
                null,
                null,
                null,
                LATE));
    assertThatThrownBy(() -> SourceSettings.fallback(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a duration from 0s to 168h");
    assertThatThrownBy(() -> SourceSettings.fallback(Duration.ofNanos(1)))
        .hasMessageContaining("whole milliseconds");
  }

  @Test
  void theSourcesOfAPolicyCannotBeChangedFromOutside() {
    SortedMap<String, SourceSettings> sources = new TreeMap<>(Comparator.reverseOrder());
    sources.put("a", FIVE_SECONDS);
    sources.put("b", FIVE_SECONDS);
    PolicySettings policy = new PolicySettings(1, FIVE_SECONDS, sources);
    sources.clear();
    assertThat(policy.sources()).containsOnlyKeys("a", "b");
    assertThat(policy.sources().firstKey()).isEqualTo("a");
    assertThatThrownBy(() -> policy.sources().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void aPolicyRefusesBadNamesAndRevisions() {
    assertThatThrownBy(() -> new PolicySettings(-1, FIVE_SECONDS, new TreeMap<>()))
        .hasMessageContaining("revision");
    SortedMap<String, SourceSettings> sources = new TreeMap<>();
    sources.put("Trips", FIVE_SECONDS);
    assertThatThrownBy(() -> new PolicySettings(1, FIVE_SECONDS, sources))
        .hasMessageContaining("Trips");
    assertThat(PolicySettings.isSourceName("trips-2")).isTrue();
    assertThat(PolicySettings.isSourceName("trips_2")).isFalse();
  }

  @Test
  void settingsThatDoNotFitTogetherAreRefused() {
    AlignmentSettings pausing =
        new AlignmentSettings(
            "g", Duration.ofSeconds(8), Duration.ofSeconds(1), OnExceeded.PauseLeaders);
    assertThatThrownBy(
            () ->
                new SourceSettings(
                    new Monotonous(), Duration.ofMillis(200), null, null, null, pausing, LATE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("idle timeout");
  }

  @Test
  void whoSkipsSaysAfterHowLong() {
    assertThatThrownBy(() -> skipping(OnExceeded.SkipLaggard, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("alignment.skip-after is required");
    assertThatThrownBy(() -> skipping(OnExceeded.AlertOnly, Duration.ofSeconds(30)))
        .hasMessageContaining("alignment.skip-after is not an option");
    assertThatThrownBy(() -> skipping(OnExceeded.PauseLeaders, Duration.ofSeconds(1)))
        .hasMessageContaining("alignment.skip-after must be longer");
    assertThat(skipping(OnExceeded.PauseLeaders, null).skipAfter()).isNull();
    assertThat(skipping(OnExceeded.SkipLaggard, Duration.ofSeconds(2)).skipAfter())
        .isEqualTo(Duration.ofSeconds(2));
  }

  private static AlignmentSettings skipping(OnExceeded onExceeded, @Nullable Duration skipAfter) {
    return new AlignmentSettings(
        "g", Duration.ofSeconds(8), Duration.ofSeconds(1), onExceeded, skipAfter);
  }

  @Test
  void noneIsNoNameBecauseItUnsets() {
    assertThatThrownBy(() -> new LateDataSettings(Duration.ZERO, "none"))
        .hasMessageContaining("late.topic");
    assertThatThrownBy(
            () ->
                new AlignmentSettings(
                    "none", Duration.ofSeconds(8), Duration.ofSeconds(1), OnExceeded.AlertOnly))
        .hasMessageContaining("alignment.group");
  }

  @Test
  void aWindowRefusesWhatItCannotMean() {
    LocalTime seven = LocalTime.of(7, 0);
    LocalTime eight = LocalTime.of(8, 0);
    Duration value = Duration.ofSeconds(30);
    assertThatThrownBy(
            () -> new ScheduleWindow(EnumSet.noneOf(DayOfWeek.class), seven, eight, value))
        .hasMessageContaining("day");
    Set<DayOfWeek> monday = Set.of(DayOfWeek.MONDAY);
    assertThatThrownBy(() -> new ScheduleWindow(monday, seven, seven, value))
        .hasMessageContaining("empty");
    assertThatThrownBy(() -> new ScheduleWindow(monday, seven.withSecond(1), eight, value))
        .hasMessageContaining("whole minute");
    assertThatThrownBy(() -> new ScheduleWindow(monday, seven, eight, Duration.ofDays(8)))
        .hasMessageContaining("168h");
  }

  @Test
  void theOrderOfWindowsMeansNothing() {
    ScheduleWindow morning = window(DayOfWeek.MONDAY, 7, 9);
    ScheduleWindow evening = window(DayOfWeek.MONDAY, 17, 19);
    assertThat(schedule(evening, morning)).isEqualTo(schedule(morning, evening));
    assertThatThrownBy(() -> schedule()).hasMessageContaining("at least one window");
    assertThatThrownBy(() -> schedule(morning, window(DayOfWeek.MONDAY, 8, 10)))
        .hasMessageContaining("overlap");
  }

  private static ScheduleWindow window(DayOfWeek day, int from, int to) {
    return new ScheduleWindow(
        Set.of(day), LocalTime.of(from, 0), LocalTime.of(to, 0), Duration.ofSeconds(30));
  }

  private static Schedule schedule(ScheduleWindow... windows) {
    return new Schedule(
        ZoneId.of("UTC"), ScheduleClock.EventTime, Duration.ofSeconds(5), List.of(windows));
  }
}
