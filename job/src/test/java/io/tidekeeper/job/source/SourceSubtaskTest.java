package io.tidekeeper.job.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidekeeper.job.align.SplitObservation;
import io.tidekeeper.job.align.SplitState;
import io.tidekeeper.job.source.SourceSubtask.SplitSlot;
import io.tidekeeper.policy.Durations;
import io.tidekeeper.policy.PolicySettings;
import io.tidekeeper.policy.SourceSettings;
import io.tidekeeper.policy.watermark.PartitionTracker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.connector.source.SourceEvent;
import org.junit.jupiter.api.Test;

class SourceSubtaskTest {

  private final List<String> announced = new ArrayList<>();
  private final List<SourceEvent> sent = new ArrayList<>();
  private long nanos;
  private final SourceSubtask subtask =
      new SourceSubtask(
          "trips",
          new CurrentPolicy(policy(3, "5s"), () -> nanos),
          new Reports(sent::add, () -> nanos),
          PositionReports.none(),
          () -> nanos,
          split -> announced.add(split.splitId()));

  @Test
  void splitsThatArriveBeforeTheFirstPollArePairedInTheirOrder() {
    subtask.splitsAdded(List.of("t-0", "t-1"));
    SplitSlot main = subtask.generatorCreated();
    SplitSlot first = subtask.generatorCreated();
    SplitSlot second = subtask.generatorCreated();

    assertThat(subtask.isMainOutput(splitOf(main))).isTrue();
    assertThat(splitOf(first).splitId()).isEqualTo("t-0");
    assertThat(splitOf(second).splitId()).isEqualTo("t-1");
    assertThat(announced).containsExactly("t-0", "t-1");
  }

  @Test
  void laterSplitsArePairedWithTheGeneratorsThatFlinkCreatedBeforeThem() {
    subtask.generatorCreated();
    SplitSlot first = subtask.generatorCreated();
    SplitSlot second = subtask.generatorCreated();
    assertThat(first.split()).isNull();

    subtask.splitsAdded(List.of("t-2", "t-3"));
    assertThat(splitOf(first).splitId()).isEqualTo("t-2");
    assertThat(splitOf(second).splitId()).isEqualTo("t-3");
  }

  @Test
  void aSplitThatIsKnownAlreadyTakesNoGenerator() {
    subtask.splitsAdded(List.of("t-0"));
    subtask.splitsAdded(List.of("t-0", "t-1"));
    subtask.generatorCreated();
    assertThat(splitOf(subtask.generatorCreated()).splitId()).isEqualTo("t-0");
    assertThat(splitOf(subtask.generatorCreated()).splitId()).isEqualTo("t-1");
  }

  @Test
  void aReleasedSplitThatComesBackTakesANewGenerator() {
    subtask.splitsAdded(List.of("t-0"));
    subtask.generatorCreated();
    SplitTracker before = splitOf(subtask.generatorCreated());
    subtask.splitReleased("t-0");
    assertThat(subtask.hasNoSplits()).isTrue();

    SplitSlot again = subtask.generatorCreated();
    subtask.splitsAdded(List.of("t-0"));
    assertThat(splitOf(again).splitId()).isEqualTo("t-0");
    assertThat(splitOf(again)).isNotSameAs(before);
  }

  @Test
  void aGeneratorThatSeesAnotherSplitsRecordFailsLoudly() {
    subtask.splitsAdded(List.of("t-0", "t-1"));
    subtask.generatorCreated();
    SplitSlot first = subtask.generatorCreated();
    subtask.generatorCreated();

    subtask.emitting(subtask.split("t-0"));
    subtask.verify(first);
    subtask.emitting(subtask.split("t-1"));
    assertThatThrownBy(() -> subtask.verify(first))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("'t-0'")
        .hasMessageContaining("'t-1'");
  }

  @Test
  void aSplitThatWasNeverAddedIsNamed() {
    assertThatThrownBy(() -> subtask.split("t-9"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("t-9");
  }

  @Test
  void whatASplitIsDoingShowsAsItsState() {
    subtask.splitsAdded(List.of("t-0"));
    SplitTracker split = subtask.split("t-0");
    assertThat(split.state()).isEqualTo(SplitState.ACTIVE);
    split.setIdle(true);
    assertThat(split.state()).isEqualTo(SplitState.IDLE);
    subtask.splitsPausedOrResumed(List.of("t-0"), List.of());
    assertThat(split.state()).isEqualTo(SplitState.PAUSED);
    subtask.splitsPausedOrResumed(List.of(), List.of("t-0"));
    assertThat(split.state()).isEqualTo(SplitState.IDLE);
    subtask.splitReleased("t-0");
    assertThat(split.state()).isEqualTo(SplitState.FINISHED);
  }

  @Test
  void aSkippedSplitShowsSoAndCountsTheRecordsThatCome() {
    subtask.splitsAdded(List.of("t-0", "t-1"));
    SplitTracker split = subtask.split("t-0");
    split.onRecord(1_000, 0, PartitionTracker.NO_WATERMARK);
    Subtasks.skip(subtask, "t-0", "t-9");
    assertThat(split.state()).isEqualTo(SplitState.SKIPPED);
    assertThat(subtask.split("t-1").state()).isEqualTo(SplitState.ACTIVE);
    split.onRecord(2_000, 0, PartitionTracker.NO_WATERMARK);
    split.onRecord(3_000, 0, PartitionTracker.NO_WATERMARK);
    assertThat(split.skippedRecords()).isEqualTo(2);
    split.setIdle(true);
    assertThat(split.state()).isEqualTo(SplitState.IDLE);
    split.setIdle(false);

    Subtasks.skip(subtask);
    split.onRecord(4_000, 0, PartitionTracker.NO_WATERMARK);
    assertThat(split.state()).isEqualTo(SplitState.ACTIVE);
    assertThat(split.skippedRecords()).isEqualTo(2);
    Subtasks.skip(subtask, "t-0");
    split.onRecord(5_000, 0, PartitionTracker.NO_WATERMARK);
    assertThat(split.skippedRecords()).isEqualTo(3);
  }

  @Test
  void anotherPolicyReachesEverySplitOfNowAndLater() {
    subtask.splitsAdded(List.of("t-0"));
    subtask.split("t-0").onRecord(100_000, 0, PartitionTracker.NO_WATERMARK);
    assertThat(subtask.split("t-0").advance(0)).isEqualTo(94_999);

    subtask.hear(new ExchangeEvent.UsePolicy(policy(4, "1s")));
    subtask.splitsAdded(List.of("t-1"));
    subtask.split("t-1").onRecord(100_000, 0, PartitionTracker.NO_WATERMARK);
    assertThat(subtask.split("t-0").advance(0)).isEqualTo(98_999);
    assertThat(subtask.split("t-1").advance(0)).isEqualTo(98_999);

    subtask.hear(new ExchangeEvent.UsePolicy(policy(5, "30s")));
    subtask.split("t-0").onRecord(110_000, 0, PartitionTracker.NO_WATERMARK);
    assertThat(subtask.split("t-0").advance(0)).as("never back").isEqualTo(98_999);
    subtask.split("t-0").onRecord(130_000, 0, PartitionTracker.NO_WATERMARK);
    assertThat(subtask.split("t-0").advance(0)).isEqualTo(99_999);
  }

  @Test
  void aLowerRevisionComesTooLate() {
    subtask.hear(new ExchangeEvent.UsePolicy(policy(5, "30s")));
    subtask.hear(new ExchangeEvent.UsePolicy(policy(4, "1s")));
    assertThat(subtask.settings()).isEqualTo(policy(5, "30s").settings());
  }

  @Test
  void theRevisionAndItsAgeAreWhatIsInForce() {
    CurrentPolicy current = new CurrentPolicy(policy(3, "5s"), () -> nanos);
    nanos += Duration.ofSeconds(7).toNanos();
    assertThat(current.revision()).isEqualTo(3);
    assertThat(current.revisionAgeMillis()).isEqualTo(7_000);
    assertThat(current.follow(policy(4, "1s"))).isTrue();
    nanos += Duration.ofSeconds(2).toNanos();
    assertThat(current.follow(policy(4, "1s"))).isTrue();
    assertThat(current.revision()).isEqualTo(4);
    assertThat(current.revisionAgeMillis()).isEqualTo(2_000);
  }

  @Test
  void aReaderWaitsForItsAnswerButNotForEver() {
    CurrentPolicy current = new CurrentPolicy(policy(3, "5s"), () -> nanos);
    assertThat(current.awaitsAnswer()).as("nobody asked it to").isFalse();
    current.awaitAnswer();
    nanos += CurrentPolicy.PATIENCE.toNanos() - 1;
    assertThat(current.awaitsAnswer()).isTrue();
    nanos++;
    assertThat(current.awaitsAnswer()).isFalse();
    assertThat(current.awaitsAnswer()).isFalse();
    assertThat(current.missedAnswers()).isEqualTo(1);
    assertThat(current.follow(policy(4, "1s"))).as("late is better than never").isTrue();

    current.awaitAnswer();
    current.answered();
    assertThat(current.awaitsAnswer()).isFalse();
    assertThat(current.missedAnswers()).isEqualTo(1);
  }

  @Test
  void anAlignedReaderReportsItsSplitsOnceInAnInterval() {
    SourceSubtask aligned = subtask(Map.of("tidekeeper.default.alignment.group", "g"));
    aligned.splitsAdded(List.of("t-0"));
    aligned.split("t-0").onRecord(100_000, 0, PartitionTracker.NO_WATERMARK);
    aligned.split("t-0").advance(0);
    aligned.onCycle();
    nanos += Duration.ofMillis(999).toNanos();
    aligned.onCycle();
    assertThat(sent)
        .containsExactly(
            new ExchangeEvent.SplitReport(
                List.of(new SplitObservation("t-0", 94_999, 100_000, 1, SplitState.ACTIVE, 0)),
                Double.NaN));
    nanos += Duration.ofMillis(1).toNanos();
    aligned.onCycle();
    assertThat(sent).hasSize(2);
  }

  @Test
  void theEndOfASplitIsReportedAtOnce() {
    SourceSubtask aligned = subtask(Map.of("tidekeeper.default.alignment.group", "g"));
    aligned.splitsAdded(List.of("t-0"));
    aligned.onCycle();
    aligned.splitReleased("t-0");
    assertThat(sent)
        .hasSize(2)
        .last()
        .isEqualTo(new ExchangeEvent.SplitReport(List.of(), Double.NaN));
  }

  @Test
  void throughputAsksForTheRatesOfTheOthers() {
    SourceSubtask throughput =
        subtask(
            Map.of(
                "tidekeeper.default.alignment.group", "none",
                "tidekeeper.default.watermark.type", "Throughput",
                "tidekeeper.default.watermark.throughput.window", "10s",
                "tidekeeper.default.watermark.throughput.tiers", "0 5s; 100 30s"));
    throughput.splitsAdded(List.of("t-0"));
    throughput.onCycle();
    throughput.onCycle();
    assertThat(sent).hasSize(1);
    assertThat(((ExchangeEvent.SplitReport) sent.get(0)).recordsPerSecond()).isZero();
    // Alone it brings nothing, and with the others the source is in its upper tier.
    SplitTracker split = throughput.split("t-0");
    throughput.hear(new ExchangeEvent.OthersRate(1_000));
    for (long time = 0; time <= 60_000; time += 1_000) {
      split.onRecord(time, 0, PartitionTracker.NO_WATERMARK);
      split.advance(0);
    }
    assertThat(split.tracker().outOfOrderness()).isEqualTo(30_000);
  }

  @Test
  void whoIsNotAlignedOrMeansToHaveNoWatermarksReportsNothing() {
    subtask.onCycle();
    subtask(
            Map.of(
                "tidekeeper.default.alignment.group", "g",
                "tidekeeper.default.watermark.type", "None"))
        .onCycle();
    assertThat(sent).isEmpty();
  }

  private SourceSubtask subtask(Map<String, String> more) {
    HashMap<String, String> options = new HashMap<>();
    options.put("tidekeeper.default.watermark.type", "Bounded");
    options.putAll(more);
    if (!"none".equals(options.get("tidekeeper.default.alignment.group"))) {
      options.put("tidekeeper.default.alignment.max-drift", "5s");
      options.put("tidekeeper.default.alignment.on-exceeded", "AlertOnly");
    }
    if (options.containsValue("Bounded")) {
      options.put("tidekeeper.default.watermark.bounded.max-out-of-orderness", "5s");
    }
    return new SourceSubtask(
        "trips",
        new CurrentPolicy(new SourcePolicy("trips", options), () -> nanos),
        new Reports(sent::add, () -> nanos),
        PositionReports.none(),
        () -> nanos,
        split -> {});
  }

  private static SourcePolicy policy(long revision, String bound) {
    return SourcePolicy.of(
        "trips",
        new PolicySettings(
            revision, SourceSettings.fallback(Durations.parse(bound)), new TreeMap<>()));
  }

  private static SplitTracker splitOf(SplitSlot slot) {
    SplitTracker split = slot.split();
    if (split == null) {
      throw new AssertionError("not paired yet");
    }
    return split;
  }
}
