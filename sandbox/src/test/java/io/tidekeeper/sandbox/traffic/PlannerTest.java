package io.tidekeeper.sandbox.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlannerTest {
  private static final long NOW = Instant.parse("2026-03-01T00:00:00Z").toEpochMilli();
  private static final TrafficPlan RUSH_HOUR = TrafficPlan.rushHour(7);
  private static final List<Planned> RECORDS = records(RUSH_HOUR);

  @Test
  void theRushHourIsAsLongAndFullAsItSays() {
    assertThat(RECORDS).hasSize((int) RUSH_HOUR.records()).hasSizeGreaterThan(200_000);
    assertThat(RUSH_HOUR.wall()).isLessThan(Duration.ofMinutes(2));
    assertThat(RUSH_HOUR.partitions()).isGreaterThanOrEqualTo(4);
    Set<Long> ids = new HashSet<>();
    RECORDS.forEach(record -> ids.add(record.id()));
    assertThat(ids).hasSameSizeAs(RECORDS);
  }

  @Test
  void theRushBeginsAtSevenInShanghai() {
    Planned first =
        RECORDS.stream().filter(r -> r.phase().equals("rush")).findFirst().orElseThrow();

    assertThat(new Planner(RUSH_HOUR, NOW).frontMillis(first.dueNanos()))
        .isEqualTo(Instant.parse("2024-05-14T23:00:00Z").toEpochMilli());
  }

  @Test
  void theSameSeedGivesTheSameRecordsAndAnotherSeedOthers() {
    assertThat(records(RUSH_HOUR)).isEqualTo(RECORDS);
    assertThat(records(TrafficPlan.rushHour(8))).isNotEqualTo(RECORDS);
  }

  @Test
  void recordsAreDueSteadily() {
    long last = 0;
    for (Planned record : RECORDS) {
      assertThat(record.dueNanos() - last).isBetween(0L, 1_000_000L);
      last = record.dueNanos();
    }
  }

  @Test
  void disorderIsUnderFiveSecondsWhenCalmAndOftenMoreInTheRush() {
    List<Long> calm = disorder("calm");
    List<Long> rush = disorder("rush");

    assertThat(calm).allSatisfy(millis -> assertThat(millis).isLessThan(5_000));
    assertThat(rush).allSatisfy(millis -> assertThat(millis).isLessThan(25_000));
    long good = rush.stream().filter(millis -> millis > 5_000).count();
    assertThat(good / (double) rush.size()).isBetween(0.2, 0.5);
  }

  @Test
  void aPhaseThatIsCutShortIsFollowedByTheNextAtOnce() {
    TrafficPlan plan = TrafficPlan.longRushHour(7);
    Planner planner = new Planner(plan, NOW);
    Planned last = planner.next();
    while (!last.phase().equals("rush")) {
      last = planner.next();
    }

    planner.cutPhaseShort(last.dueNanos());
    List<Planned> rest = new ArrayList<>();
    planner.forEachRemaining(rest::add);

    assertThat(rest.get(0).phase()).isEqualTo("behind");
    assertThat(rest.get(0).dueNanos() - last.dueNanos()).isBetween(0L, 1_000_000L);
    assertThat(rest.get(0).id()).isEqualTo(last.id() + 1);
    assertThat(rest)
        .hasSize((int) plan.phases().stream().skip(2).mapToLong(Phase::records).sum())
        .extracting(Planned::phase)
        .doesNotContain("rush");
    assertThat(planner.hasNext()).isFalse();
  }

  @Test
  void theLastPhaseIsNotCutShort() {
    Planner planner = new Planner(RUSH_HOUR, NOW);
    for (int i = 1; i < RECORDS.size(); i++) {
      assertThat(planner.next()).isNotNull();
    }

    planner.cutPhaseShort(0);

    assertThat(planner.next()).isEqualTo(RECORDS.get(RECORDS.size() - 1));
    assertThat(planner.hasNext()).isFalse();
  }

  @Test
  void onePartitionFallsAMinuteBehindWithoutFallingSilent() {
    Planner clock = new Planner(RUSH_HOUR, NOW);
    long furthest = 0;
    long lastDue = -1;
    long longestSilence = 0;
    long front = Long.MIN_VALUE;
    for (Planned record : normal("behind")) {
      if (record.partition() == 1) {
        front = Math.max(front, record.eventTime());
        furthest = Math.max(furthest, clock.frontMillis(record.dueNanos()) - front);
        longestSilence = Math.max(longestSilence, lastDue < 0 ? 0 : record.dueNanos() - lastDue);
        lastDue = record.dueNanos();
      } else {
        assertThat(clock.frontMillis(record.dueNanos()) - record.eventTime()).isLessThan(25_000);
      }
    }

    assertThat(furthest).isBetween(59_000L, 62_000L);
    assertThat(longestSilence).isLessThan(Duration.ofMillis(200).toNanos());
    assertThat(clock.frontMillis(lastDue) - front).isLessThan(1_000);
  }

  @Test
  void onePartitionFallsSilentAndComesBack() {
    assertThat(RECORDS)
        .noneMatch(record -> record.phase().equals("idle") && record.partition() == 2)
        .anyMatch(record -> record.phase().equals("last") && record.partition() == 2);
  }

  @Test
  void badRecordsAreAsManyAsPlannedAndReallyBad() {
    List<Planned> malformed = RECORDS.stream().filter(r -> r.kind() == Kind.MALFORMED).toList();
    List<Planned> future = RECORDS.stream().filter(r -> r.kind() == Kind.FUTURE).toList();

    assertThat(malformed.size()).isBetween(RECORDS.size() / 1_000, RECORDS.size() * 3 / 1_000);
    assertThat(malformed).allMatch(record -> !isGood(record.value()));
    assertThat(future).hasSize(20);
    assertThat(future)
        .allSatisfy(
            record -> {
              assertThat(isGood(record.value())).isTrue();
              assertThat(record.eventTime())
                  .isGreaterThanOrEqualTo(NOW + Duration.ofDays(1).toMillis());
            });
    assertThat(normal("rush")).allMatch(record -> isGood(record.value()));
  }

  @Test
  void closingRecordsLieBeyondEverythingOnEveryPartition() {
    Planner planner = new Planner(RUSH_HOUR, NOW);
    planner.forEachRemaining(record -> {});
    List<Planned> closing = planner.closing(RUSH_HOUR.wall().toNanos());
    long last =
        RECORDS.stream()
            .filter(record -> record.kind() == Kind.NORMAL)
            .mapToLong(Planned::eventTime)
            .max()
            .orElseThrow();

    Map<Integer, Integer> perPartition = new HashMap<>();
    for (Planned record : closing) {
      perPartition.merge(record.partition(), 1, Integer::sum);
      assertThat(record.kind()).isEqualTo(Kind.CLOSING);
      assertThat(record.eventTime()).isGreaterThan(last + 100_000);
      assertThat(record.id()).isGreaterThan(RECORDS.size());
    }
    assertThat(perPartition).hasSize(RUSH_HOUR.partitions()).doesNotContainValue(1);
  }

  @Test
  void impossiblePlansAreRefused() {
    Behaviour level = Behaviour.level(Disorder.NONE);
    Duration second = Duration.ofSeconds(1);

    assertThatThrownBy(() -> plan(0, new Phase("p", second, 1, level)))
        .hasMessageContaining("speed");
    assertThatThrownBy(() -> plan(11, new Phase("p", second, 1, level)))
        .hasMessageContaining("speed");
    assertThatThrownBy(() -> plan(1, new Phase("p", second, 1, Behaviour.silent())))
        .hasMessageContaining("silent");
    assertThatThrownBy(
            () -> plan(1, new Phase("p", second, 1, Behaviour.behind(Disorder.NONE, second))))
        .hasMessageContaining("backwards");
    assertThatThrownBy(
            () -> plan(1, new Phase("p", second, 1, level), new Phase("p", second, 1, level)))
        .hasMessageContaining("two phases");
    assertThatThrownBy(() -> new Phase("p", Duration.ZERO, 1, level))
        .hasMessageContaining("above zero");
    assertThatThrownBy(() -> new Disorder(second, Duration.ZERO, 0))
        .hasMessageContaining("disorder");
  }

  private static TrafficPlan plan(double speed, Phase... phases) {
    return new TrafficPlan(1, Instant.EPOCH, speed, 1, 1, List.of(phases), 0, 0);
  }

  private static List<Planned> records(TrafficPlan plan) {
    List<Planned> records = new ArrayList<>();
    new Planner(plan, NOW).forEachRemaining(records::add);
    return records;
  }

  private static List<Planned> normal(String phase) {
    return RECORDS.stream()
        .filter(record -> record.phase().equals(phase) && record.kind() == Kind.NORMAL)
        .toList();
  }

  /**
   * How far each normal record of a phase lies behind the highest one before it on its partition.
   */
  private static List<Long> disorder(String phase) {
    Map<Integer, Long> fronts = new HashMap<>();
    List<Long> disorder = new ArrayList<>();
    for (Planned record : normal(phase)) {
      long front = fronts.merge(record.partition(), record.eventTime(), Math::max);
      disorder.add(front - record.eventTime());
    }
    return disorder;
  }

  private static boolean isGood(String value) {
    try {
      JsonNode json = new ObjectMapper().readTree(value);
      long year10000 = Instant.parse("+10000-01-01T00:00:00Z").toEpochMilli();
      return json.path("id").isIntegralNumber()
          && json.path("station").isTextual()
          && json.path("passengers").isInt()
          && json.path("time").isIntegralNumber()
          && json.path("time").asLong() >= 0
          && json.path("time").asLong() < year10000;
    } catch (JsonProcessingException e) {
      return false;
    }
  }
}
