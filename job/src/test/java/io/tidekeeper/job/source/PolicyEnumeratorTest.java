package io.tidekeeper.job.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.job.align.SplitObservation;
import io.tidekeeper.job.align.SplitState;
import io.tidekeeper.job.backlog.BacklogProbe;
import io.tidekeeper.job.backlog.Offsets;
import io.tidekeeper.job.backlog.Searched;
import io.tidekeeper.job.backlog.SplitPosition;
import io.tidekeeper.job.live.LiveOptions;
import io.tidekeeper.job.source.ExchangeEvent.PositionReport;
import io.tidekeeper.job.source.ExchangeEvent.SkipSplits;
import io.tidekeeper.job.source.ExchangeEvent.SplitReport;
import io.tidekeeper.job.source.ExchangeEvent.UnreadSplits;
import io.tidekeeper.job.source.ExchangeEvent.UseOptions;
import io.tidekeeper.job.source.ExchangeEvent.UsePolicy;
import io.tidekeeper.policy.PolicyOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource.NumberSequenceSplit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The enumerator inside Flink's own coordinator, with its threads and gateways. */
class PolicyEnumeratorTest {

  private static final Duration POLL = Duration.ofMillis(100);

  private static final Map<String, String> IDLE_SOON =
      Map.of("tidekeeper.default.watermark.idle-timeout", "500ms");

  private final TestBroker broker = new TestBroker();

  @Test
  void withoutAFileAReaderHearsNothingOfOurs() throws Exception {
    try (CoordinatorLab lab = lab(Map.of(), LiveOptions.OFF)) {
      lab.start();
      lab.register(0, 0);
      assertThat(lab.calls()).containsExactly("start", "addReader 0");
      assertThat(lab.ours(0)).isEmpty();
      assertThat(lab.gauge("revision")).isEqualTo(10L);
      assertThat(lab.gauge("fileState")).isNull();
    }
  }

  @Test
  void aReaderIsAnsweredBeforeItGetsSplits(@TempDir Path dir) throws Exception {
    Path file = dir.resolve("policy");
    write(file, 11, "30s");
    try (CoordinatorLab lab = lab(Map.of(), live(file))) {
      lab.start();
      lab.register(0, 0);
      assertThat(lab.received(0).get(0)).isInstanceOf(UsePolicy.class);
      assertThat(((UsePolicy) lab.received(0).get(0)).policy().revision()).isEqualTo(11);
      assertThat(lab.received(0).get(1)).isEqualTo(TestSource.HELLO);
      assertThat(lab.gauge("fileRevision")).isEqualTo(11L);
      assertThat(lab.gauge("revision")).isEqualTo(11L);
    }
  }

  @Test
  void withoutAnyFileOrWithABrokenOneItIsToldToUseTheOptions(@TempDir Path dir) throws Exception {
    Path file = dir.resolve("policy");
    try (CoordinatorLab lab = lab(Map.of(), live(file))) {
      lab.start();
      lab.register(0, 0);
      assertThat(lab.ours(0)).containsExactly(new UseOptions());
      assertThat(lab.gauge("fileState")).isEqualTo(0L);
      assertThat(lab.gauge("fileRevision")).isEqualTo(-1L);

      Files.writeString(file, "tidekeeper.revision: next\n");
      lab.awaitGauge("fileState", 3L);
      lab.register(1, 0);
      assertThat(lab.ours(1)).containsExactly(new UseOptions());
      assertThat(lab.ours(0)).hasSize(1);
      assertThat(lab.gauge("refusedFiles")).isEqualTo(1L);
    }
  }

  @Test
  void aNewRevisionReachesEveryReaderAndLaterOnesTheNewest(@TempDir Path dir) throws Exception {
    Path file = dir.resolve("policy");
    try (CoordinatorLab lab = lab(Map.of(), live(file))) {
      lab.start();
      lab.register(0, 0);
      lab.register(1, 0);
      write(file, 11, "30s");
      lab.awaitGauge("revision", 11L);
      assertThat(revisions(lab, 0)).containsExactly(11L);
      assertThat(revisions(lab, 1)).containsExactly(11L);
      write(file, 12, "1s");
      lab.awaitGauge("revision", 12L);
      lab.register(2, 0);
      assertThat(revisions(lab, 0)).containsExactly(11L, 12L);
      assertThat(revisions(lab, 2)).containsExactly(12L);
    }
  }

  @Test
  void whatIsRefusedIsCountedOnceAndReachesNobody(@TempDir Path dir) throws Exception {
    Path file = dir.resolve("policy");
    write(file, 11, "30s");
    try (CoordinatorLab lab = lab(Map.of(), live(file))) {
      lab.start();
      lab.register(0, 0);
      write(file, 11, "31s");
      lab.awaitGauge("fileState", 4L);
      replace(file, text(12, "30s") + "tidekeeper.default.late.topic: other\n");
      lab.awaitGauge("fileState", 5L);
      assertThat(lab.gauge("fileRevision")).isEqualTo(12L);
      assertThat(lab.gauge("revision")).isEqualTo(11L);
      write(file, 9, "30s");
      lab.awaitGauge("fileState", 2L);
      Files.delete(file);
      lab.awaitGauge("fileState", 0L);
      assertThat(lab.gauge("refusedFiles")).isEqualTo(2L);
      assertThat(lab.gauge("revision")).isEqualTo(11L);
      assertThat(revisions(lab, 0)).containsExactly(11L);
    }
  }

  /** Between the failure of a task and its next attempt nobody can take an event. */
  @Test
  void aReaderThatIsGoneNeitherFailsTheJobNorMissesTheRevision(@TempDir Path dir) throws Exception {
    Path file = dir.resolve("policy");
    try (CoordinatorLab lab = lab(Map.of(), live(file))) {
      lab.start();
      lab.register(0, 0);
      lab.register(1, 0);
      lab.fail(1, 0);
      write(file, 11, "30s");
      lab.awaitGauge("revision", 11L);
      assertThat(revisions(lab, 0)).containsExactly(11L);
      assertThat(lab.ours(1)).containsExactly(new UseOptions());
      lab.reset(1);
      lab.register(1, 1);
      assertThat(revisions(lab, 1)).containsExactly(11L);
      assertThat(lab.failure()).isNull();
    }
  }

  /** Its task is gone and Flink has not said so yet. */
  @Test
  void aRegisteredReaderThatTakesNoEventsDoesNotFailTheJob(@TempDir Path dir) throws Exception {
    Path file = dir.resolve("policy");
    try (CoordinatorLab lab = lab(Map.of(), live(file))) {
      lab.start();
      lab.register(0, 0);
      lab.register(1, 0);
      lab.deafen(0);
      write(file, 11, "30s");
      lab.awaitGauge("revision", 11L);
      assertThat(revisions(lab, 1)).containsExactly(11L);
      assertThat(lab.gauge("undeliveredAnswers")).isEqualTo(1L);
      assertThat(lab.failure()).isNull();
    }
  }

  @Test
  void theMetricsOfAReplacedEnumeratorGoOnWithTheNewOne(@TempDir Path dir) throws Exception {
    Path file = dir.resolve("policy");
    write(file, 11, "30s");
    try (CoordinatorLab lab = lab(Map.of(), live(file))) {
      lab.start();
      lab.register(0, 0);
      lab.replace();
      assertThat(lab.gauge("revision")).isEqualTo(11L);
      lab.register(0, 1);
      assertThat(revisions(lab, 0)).containsExactly(11L, 11L);
      write(file, 12, "1s");
      lab.awaitGauge("revision", 12L);
      assertThat(lab.threads()).hasSize(1);
    }
    assertThat(CoordinatorLab.liveThreads()).isEmpty();
  }

  @Test
  void whatIsNotOursGoesToTheWrappedEnumeratorAndComesBack() throws Exception {
    try (CoordinatorLab lab = lab(Map.of(), LiveOptions.OFF)) {
      lab.start();
      lab.register(0, 0);
      lab.send(0, 0, TestSource.HELLO);
      lab.checkpoint(1);
      lab.reset(0);
      assertThat(lab.calls())
          .containsExactly(
              "start", "addReader 0", "event 0", "snapshot 1", "complete 1", "addSplitsBack 0");
      assertThat(lab.received(0)).containsExactly(TestSource.HELLO);
    }
  }

  @Test
  void aLaggardIsSkippedByTheReportsOfTheReaders() throws Exception {
    try (CoordinatorLab lab = lab(aligned("300ms"), LiveOptions.OFF)) {
      lab.start();
      lab.register(0, 0);
      lab.register(1, 0);
      lab.send(0, 0, report("t-0", 100_000));
      lab.awaitUntil(
          () -> {
            lab.send(0, 0, report("t-0", 100_000));
            lab.send(1, 0, report("t-1", 1_000));
            return lab.ours(1).contains(new SkipSplits(List.of("t-1")));
          });
      assertThat(lab.ours(0)).isEmpty();
      assertThat(lab.gauge("group.g.drift")).isEqualTo(99_000L);
      assertThat(lab.gauge("group.g.maxDrift")).isEqualTo(5_000L);
      assertThat(lab.gauge("group.g.maxWatermark")).isEqualTo(100_000L);
      assertThat(lab.gauge("group.g.skippedSplits")).isEqualTo(1L);
      assertThat(lab.gauge("group.g.recommendedMaxDrift")).as("nobody catches up").isEqualTo(-1L);
      assertThat(lab.gauge("split.t-1.drift")).isEqualTo(99_000L);
      assertThat(lab.gauge("split.t-0.drift")).isEqualTo(0L);

      // After its restart nothing is skipped, and nothing is said about it.
      lab.fail(1, 0);
      lab.reset(1);
      lab.register(1, 1);
      lab.send(0, 0, report("t-0", 100_000));
      assertThat(lab.ours(1)).containsExactly(new SkipSplits(List.of("t-1")));
      assertThat(lab.gauge("group.g.skippedSplits")).isEqualTo(0L);
    }
  }

  @Test
  void eachReaderHearsWhatTheOthersMeasureOnceAllAreThere() throws Exception {
    try (CoordinatorLab lab = lab(Map.of(), LiveOptions.OFF)) {
      lab.start();
      lab.register(0, 0);
      lab.register(1, 0);
      lab.send(0, 0, rate(100));
      lab.send(1, 0, rate(20));
      assertThat(lab.ours(0)).as("one is missing").isEmpty();
      lab.register(2, 0);
      lab.send(2, 0, rate(3));
      assertThat(lab.ours(0)).containsExactly(new ExchangeEvent.OthersRate(23));
      assertThat(lab.ours(1)).containsExactly(new ExchangeEvent.OthersRate(103));
      assertThat(lab.ours(2)).containsExactly(new ExchangeEvent.OthersRate(120));
      assertThat(lab.gauge("recordsPerSecond")).isEqualTo(123L);
      // Only what matters is said.
      lab.send(0, 0, rate(101));
      assertThat(lab.ours(1)).hasSize(1);
      lab.send(0, 0, rate(200));
      assertThat(lab.ours(1)).last().isEqualTo(new ExchangeEvent.OthersRate(203));
      assertThat(lab.ours(0)).hasSize(1);
      // A reader that restarts is told anew, once it has measured something.
      lab.fail(1, 0);
      lab.reset(1);
      lab.register(1, 1);
      lab.send(0, 0, rate(200));
      assertThat(lab.ours(1)).hasSize(2);
      lab.send(1, 1, rate(20));
      assertThat(lab.ours(1)).hasSize(3).last().isEqualTo(new ExchangeEvent.OthersRate(203));
    }
  }

  @Test
  void theBacklogIsShownWhileItIsKnownAndThreadsEndWithTheEnumerator() throws Exception {
    try (CoordinatorLab lab = lab(IDLE_SOON, LiveOptions.OFF, broker)) {
      lab.start();
      lab.register(0, 0);
      lab.register(1, 0);
      broker.offsets.put("t-0", new Offsets(40, 0, 100, 100));
      lab.send(0, 0, positions("t-0", 40));
      lab.send(1, 0, positions("t-1", 7));
      lab.awaitGauge("split.t-0.backlog", 60L);
      assertThat(lab.gauge("split.t-1.backlog")).as("the broker says nothing of it").isEqualTo(-1L);
      broker.offsets.put("t-1", new Offsets(7, 0, 7, 7));
      lab.awaitGauge("split.t-1.backlog", 0L);

      broker.away = true;
      lab.awaitGauge("split.t-0.backlog", -1L);
      lab.awaitGauge("split.t-1.backlog", -1L);
      broker.away = false;
      lab.awaitGauge("split.t-0.backlog", 60L);

      // Its reader restarts.
      lab.fail(0, 0);
      lab.reset(0);
      assertThat(lab.gauge("split.t-0.backlog")).isEqualTo(-1L);
      lab.replace();
      assertThat(lab.gauge("split.t-1.backlog")).isEqualTo(-1L);
      lab.register(1, 1);
      lab.send(1, 1, positions("t-1", 7));
      lab.awaitGauge("split.t-1.backlog", 0L);
      assertThat(lab.threads()).hasSize(1);
      assertThat(lab.failure()).isNull();
    }
    assertThat(CoordinatorLab.liveThreads()).isEmpty();
    assertThat(broker.connections.get()).isZero();
  }

  @Test
  void aReaderHearsWhichOfItsSplitsHaveARecordToBeReadAsLongAsThatIsKnown() throws Exception {
    try (CoordinatorLab lab = lab(IDLE_SOON, LiveOptions.OFF, broker)) {
      lab.start();
      lab.register(0, 0);
      lab.register(1, 0);
      broker.offsets.put("t-0", new Offsets(40, 0, 100, 100));
      broker.records.put("t-0", new Searched(40, 42, true));
      lab.send(0, 0, positions("t-0", 40));
      lab.send(1, 0, positions("t-1", 7));
      lab.awaitUntil(() -> toldLast(lab, 0, Map.of("t-0", 40L)));
      broker.away = true;
      lab.awaitUntil(() -> toldLast(lab, 0, Map.of()));
      broker.away = false;
      lab.awaitUntil(() -> toldLast(lab, 0, Map.of("t-0", 40L)));
      assertThat(lab.ours(0)).as("what has changed, and nothing else").hasSize(3);

      broker.offsets.put("t-0", new Offsets(43, 0, 100, 100));
      lab.send(0, 0, positions("t-0", 43));
      lab.awaitUntil(() -> toldLast(lab, 0, Map.of()));

      // It goes back to its checkpoint; the new attempt has heard nothing.
      lab.fail(0, 0);
      lab.reset(0);
      lab.register(0, 1);
      int before = lab.ours(0).size();
      broker.offsets.put("t-0", new Offsets(40, 0, 100, 100));
      lab.send(0, 1, positions("t-0", 40));
      lab.awaitUntil(() -> lab.ours(0).size() == before + 1);
      assertThat(toldLast(lab, 0, Map.of("t-0", 40L))).isTrue();
      // One that takes no events does not fail the job.
      lab.deafen(0);
      broker.away = true;
      lab.awaitGauge("split.t-0.backlog", -1L);
      assertThat(lab.failure()).isNull();
      assertThat(lab.ours(1)).isEmpty();
    }
  }

  private static boolean toldLast(CoordinatorLab lab, int subtask, Map<String, Long> unread) {
    List<ExchangeEvent> events = lab.ours(subtask);
    return !events.isEmpty() && events.get(events.size() - 1).equals(new UnreadSplits(unread));
  }

  private static PositionReport positions(String split, long position) {
    return new PositionReport(List.of(new SplitPosition(split, position, Long.MAX_VALUE)));
  }

  private static SplitReport rate(double recordsPerSecond) {
    return new SplitReport(List.of(), recordsPerSecond);
  }

  private static SplitReport report(String split, long watermark) {
    return new SplitReport(
        List.of(new SplitObservation(split, watermark, watermark, 1, SplitState.ACTIVE, 0)),
        Double.NaN);
  }

  private static List<Long> revisions(CoordinatorLab lab, int subtask) {
    return lab.ours(subtask).stream()
        .filter(UsePolicy.class::isInstance)
        .map(event -> ((UsePolicy) event).policy().revision())
        .toList();
  }

  private static Map<String, String> aligned(String skipAfter) {
    return Map.of(
        "tidekeeper.default.alignment.group", "g",
        "tidekeeper.default.alignment.max-drift", "5s",
        "tidekeeper.default.alignment.update-interval", "10ms",
        "tidekeeper.default.alignment.on-exceeded", "SkipLaggard",
        "tidekeeper.default.alignment.skip-after", skipAfter);
  }

  private static CoordinatorLab lab(Map<String, String> more, LiveOptions live) {
    return lab(more, live, null);
  }

  private static CoordinatorLab lab(
      Map<String, String> more,
      LiveOptions live,
      @Nullable BacklogProbe<NumberSequenceSplit> probe) {
    HashMap<String, String> options = new HashMap<>(more);
    options.put(PolicyOptions.REVISION, "10");
    options.put("tidekeeper.default.watermark.type", "Bounded");
    options.put("tidekeeper.default.watermark.bounded.max-out-of-orderness", "5s");
    TestSource wrapped = new TestSource();
    return new CoordinatorLab(
        PolicySource.of(wrapped, Types.LONG, new SourcePolicy("trips", options), live, probe),
        wrapped.calls);
  }

  private static LiveOptions live(Path file) {
    return new LiveOptions(file.toString(), POLL);
  }

  private static void write(Path file, long revision, String bound) throws IOException {
    replace(file, text(revision, bound));
  }

  private static String text(long revision, String bound) {
    return """
        tidekeeper.revision: %d
        tidekeeper.default.watermark.type: Bounded
        tidekeeper.default.watermark.bounded.max-out-of-orderness: %s
        """
        .formatted(revision, bound);
  }

  private static void replace(Path file, String text) throws IOException {
    Path next = file.resolveSibling("next");
    Files.writeString(next, text);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
