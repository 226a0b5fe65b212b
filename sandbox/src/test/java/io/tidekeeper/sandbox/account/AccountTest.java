package io.tidekeeper.sandbox.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidekeeper.sandbox.traffic.Kind;
import io.tidekeeper.sandbox.traffic.Sent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run of two stations over two windows that went well, and what each thing gone wrong does. */
class AccountTest {
  private static final String COMPLETE = "everything is accounted for";
  private static final String ON_TIME = "windows without late records";
  private static final String WITH_LATE = "windows with late records";
  private static final String ONCE = "no window twice";
  private static final String KNOWN = "no unknown window";

  private final List<Sent> truth =
      new ArrayList<>(
          List.of(
              sent(1, Kind.NORMAL, "S001", 2, 1_000),
              sent(2, Kind.NORMAL, "S001", 3, 9_999),
              sent(3, Kind.NORMAL, "S001", 5, 10_000),
              sent(4, Kind.NORMAL, "S002", 1, 19_999),
              sent(5, Kind.MALFORMED, "S002", 1, 19_000),
              sent(6, Kind.FUTURE, "S002", 1, 900_000_000),
              sent(7, Kind.NORMAL, "S002", 4, 15_000),
              sent(8, Kind.NORMAL, "S002", 4, 2_000),
              sent(9, Kind.CLOSING, "S001", 1, 200_000)));

  /** Record 7 came late into a window that went out without it, record 8 into one of its own. */
  private final List<RoutedRecord> lates =
      new ArrayList<>(List.of(routed(7, "late"), routed(8, "late")));

  private final List<RoutedRecord> deadLetters =
      new ArrayList<>(List.of(routed(5, "malformed"), routed(6, "future")));

  private final List<ResultRecord> results =
      new ArrayList<>(
          List.of(
              result("S001", 0, 2, 5), result("S001", 10_000, 1, 5), result("S002", 10_000, 1, 1)));

  @Test
  void aRunThatWentWellSettles() {
    Settlement settlement = settle();

    assertThat(failures(settlement)).isEmpty();
    assertThat(settlement.holds()).isTrue();
    assertThat(settlement.counters())
        .containsEntry("produced", 8L)
        .containsEntry("counted", 4L)
        .containsEntry("late", 2L)
        .containsEntry("malformed", 1L)
        .containsEntry("future", 1L)
        .containsEntry("closing records sent", 1L)
        .containsEntry("closing records counted", 0L)
        .containsEntry("windows", 3L);
    assertThat(settlement.claim(COMPLETE).text()).contains("4 + 2 + 1 + 1 = 8 of 8");
  }

  @Test
  void aResultDroppedIsFound() {
    results.remove(1);

    assertThat(failures(settle())).containsExactly(COMPLETE, ON_TIME);
    assertThat(settle().claim(ON_TIME).examples())
        .singleElement()
        .asString()
        .contains("S001 1970-01-01T00:00:10Z", "0 records", "1 records, 5 passengers due");
  }

  @Test
  void aResultDoubledIsFound() {
    results.add(results.get(0));

    assertThat(failures(settle())).containsExactly(COMPLETE, ON_TIME, ONCE);
    assertThat(Account.windowsEmittedTwice(results)).isEqualTo(1);
  }

  @Test
  void aWindowReopenedForALateRecordIsFound() {
    lates.remove(0);
    results.add(result("S002", 10_000, 1, 4));

    assertThat(failures(settle())).containsExactly(ONCE);
    assertThat(settle().counters()).containsEntry("windows emitted twice", 1L);
  }

  @Test
  void aLateRecordLostIsFound() {
    lates.remove(0);

    assertThat(failures(settle())).containsExactly(COMPLETE, ON_TIME);
  }

  @Test
  void aLateRecordDoubledIsFound() {
    lates.add(lates.get(0));

    assertThat(failures(settle())).containsExactly("late");
    assertThat(settle().claim("late").examples()).singleElement().asString().contains("id=7");
  }

  @Test
  void aRecordBothLateAndCountedIsFound() {
    lates.add(routed(1, "late"));

    assertThat(failures(settle())).containsExactly(COMPLETE, WITH_LATE);
  }

  @Test
  void aWindowOfLateRecordsAloneMustNotBeEmitted() {
    results.add(result("S002", 0, 1, 4));

    assertThat(failures(settle())).containsExactly(COMPLETE, WITH_LATE);
  }

  @Test
  void aLateRecordThatWasNeverSentIsFound() {
    lates.add(new RoutedRecord(0, 9, "late", 3, 1234, 1, 77));

    assertThat(failures(settle())).containsExactly("late");
  }

  @Test
  void aLateRecordWithTheHeadersOfAnotherIsFound() {
    lates.set(0, new RoutedRecord(0, 7, "late", 0, 7, 1, 1));

    assertThat(failures(settle())).containsExactly(COMPLETE, "late", ON_TIME);
  }

  @Test
  void aMalformedRecordLostIsFound() {
    deadLetters.remove(0);

    assertThat(failures(settle())).containsExactly(COMPLETE, "malformed");
  }

  @Test
  void aMalformedRecordDoubledIsFound() {
    deadLetters.add(deadLetters.get(0));

    assertThat(failures(settle())).containsExactly("malformed");
  }

  @Test
  void aFutureRecordWithTheWrongReasonIsFound() {
    deadLetters.set(1, routed(6, "malformed"));

    assertThat(failures(settle())).containsExactly(COMPLETE, "future");
  }

  @Test
  void aGoodRecordInTheDeadLetterTopicIsFound() {
    deadLetters.add(routed(1, "malformed"));

    assertThat(failures(settle())).containsExactly("malformed");
  }

  @Test
  void aMalformedRecordInTheLateTopicIsFound() {
    lates.add(routed(5, "late"));

    assertThat(failures(settle())).containsExactly("late");
  }

  @Test
  void aWrongSumIsFound() {
    results.set(0, result("S001", 0, 2, 6));

    assertThat(failures(settle())).containsExactly(ON_TIME);
  }

  @Test
  void aWindowOfNothingIsFound() {
    results.add(result("S009", 0, 1, 1));

    assertThat(failures(settle())).containsExactly(COMPLETE, KNOWN);
  }

  @Test
  void aWindowOfAnotherLengthIsFound() {
    results.set(0, new ResultRecord("S001", 0, 5_000, 2, 5));

    assertThat(failures(settle())).containsExactly(KNOWN);
  }

  @Test
  void aClosingWindowMayBeOpenOrRightButNotWrong() {
    results.add(result("S001", 200_000, 1, 1));
    assertThat(failures(settle())).isEmpty();
    assertThat(settle().counters()).containsEntry("closing records counted", 1L);

    results.set(3, result("S001", 200_000, 1, 2));
    assertThat(failures(settle())).containsExactly(ON_TIME);
  }

  @Test
  void aClosingRecordMayBeLate() {
    lates.add(routed(9, "late"));

    assertThat(failures(settle())).isEmpty();
    assertThat(settle().counters())
        .containsEntry("late", 2L)
        .containsEntry("closing records late", 1L);
  }

  @Test
  void aTruthThatContradictsItselfIsRefused() {
    truth.add(new Sent(10, 0, 1, Kind.NORMAL, "S001", 1, 0, "calm"));

    assertThatThrownBy(this::settle)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two records in one place");
  }

  @Test
  void lateRecordsAreToldByPhaseAndSegment() {
    Settlement settlement = settle();

    assertThat(settlement.lateByPhase())
        .containsExactly(Map.entry("calm", 0L), Map.entry("rush", 2L));
    List<Segment> segments =
        List.of(new Segment("before", Map.of()), new Segment("after", Map.of(0, 8L)));
    assertThat(Segment.lateBySegment(settlement, segments))
        .containsExactly(Map.entry("before", 1L), Map.entry("after", 1L));
  }

  @Test
  void theReportSaysWhatFailed(@TempDir Path dir) throws Exception {
    results.remove(1);
    Report.write(dir.resolve("demo"), settle(), Map.of("only", 2L));

    assertThat(dir.resolve("demo/account.txt"))
        .content()
        .contains(
            "FAILS  counted + late + malformed + future = produced: 3 + 2 + 1 + 1 = 7 of 8",
            "HOLDS  0 of 2 windows were emitted more than once",
            "Late records by segment");
    assertThat(Files.readString(dir.resolve("demo/account.json")))
        .contains("\"holds\" : false", "\"name\" : \"no window twice\"", "\"only\" : 2");
  }

  private Settlement settle() {
    return Account.settle(truth, results, lates, deadLetters);
  }

  private static List<String> failures(Settlement settlement) {
    return settlement.claims().stream()
        .filter(claim -> !claim.holds())
        .map(Claim::name)
        .collect(Collectors.toList());
  }

  private static Sent sent(long id, Kind kind, String station, int passengers, long time) {
    return new Sent(id, 0, id, kind, station, passengers, time, id < 6 ? "calm" : "rush");
  }

  private static RoutedRecord routed(long id, String reason) {
    return new RoutedRecord(0, id, reason, 0, id, 1, id == 5 ? -1 : id);
  }

  private static ResultRecord result(String station, long start, long count, long passengers) {
    return new ResultRecord(station, start, start + 10_000, count, passengers);
  }
}
