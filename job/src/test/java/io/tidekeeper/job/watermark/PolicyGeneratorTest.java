package io.tidekeeper.job.watermark;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.job.backlog.ReadPositions;
import io.tidekeeper.job.backlog.SplitPosition;
import io.tidekeeper.job.source.SourceSubtask;
import io.tidekeeper.job.source.Subtasks;
import io.tidekeeper.policy.Bounded;
import io.tidekeeper.policy.LateDataSettings;
import io.tidekeeper.policy.PartitionOverride;
import io.tidekeeper.policy.PartitionRange;
import io.tidekeeper.policy.Punctuated;
import io.tidekeeper.policy.SourceSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.util.clock.ManualClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PolicyGeneratorTest {

  private static final String SPLIT = "trips-0";

  private long carried = CarriedWatermark.NONE;
  private final Recorder output = new Recorder();
  private final ManualClock activityClock = new ManualClock();

  @Test
  void fiveRecordsUnderFiveSecondsEndAtMinusOneAndNeverRegress() {
    SourceSubtask subtask = Subtasks.of(settings(null));
    Subtasks.add(subtask, SPLIT);
    PolicyGenerator<Long> main = generator(subtask, 1);
    PolicyGenerator<Long> split = generator(subtask, 1);
    for (long time : new long[] {1_000, 3_000, 2_000, 5_000, 4_000}) {
      record(subtask, split, time);
      main.onPeriodicEmit(output);
      split.onPeriodicEmit(output);
    }
    assertThat(output.seen).containsExactly("-4001", "-2001", "-2001", "-1", "-1");
  }

  @Test
  void nothingIsEmittedBeforeTheFirstRecord() {
    SourceSubtask subtask = Subtasks.of(settings(null));
    Subtasks.add(subtask, SPLIT);
    generator(subtask, 1);
    PolicyGenerator<Long> split = generator(subtask, 1);
    pass(Duration.ofHours(1), split);
    assertThat(output.seen).isEmpty();
  }

  @Test
  void aRecordWithoutTimestampEmitsNothingAndKeepsItsSplitActive() {
    SourceSubtask subtask = Subtasks.of(settings(Duration.ofSeconds(3)));
    Subtasks.add(subtask, SPLIT);
    generator(subtask, 1);
    PolicyGenerator<Long> split = generator(subtask, 1);
    for (int i = 0; i < 3; i++) {
      record(subtask, split, EventTime.NONE);
      pass(Duration.ofSeconds(2), split);
    }
    assertThat(output.seen).isEmpty();
  }

  @Test
  void aSilentSplitIsMarkedIdleOnceAndEmitsAgainWhenItSpeaks() {
    SourceSubtask subtask = Subtasks.of(settings(Duration.ofSeconds(3)));
    Subtasks.add(subtask, SPLIT);
    generator(subtask, 1);
    PolicyGenerator<Long> split = generator(subtask, 1);
    record(subtask, split, 10_000);
    split.onPeriodicEmit(output);
    pass(Duration.ofSeconds(2), split);
    assertThat(output.seen).containsExactly("4999", "4999");
    pass(Duration.ofSeconds(2), split);
    pass(Duration.ofSeconds(2), split);
    assertThat(output.seen).containsExactly("4999", "4999", "idle");
    record(subtask, split, 9_000);
    split.onPeriodicEmit(output);
    assertThat(output.seen).containsExactly("4999", "4999", "idle", "active", "4999");
  }

  @Test
  void aSplitThatIsNotAllowedToSpeakIsNotIdle() {
    SourceSubtask subtask = Subtasks.of(settings(Duration.ofSeconds(3)));
    Subtasks.add(subtask, SPLIT);
    generator(subtask, 1);
    PolicyGenerator<Long> split = generator(subtask, 1);
    record(subtask, split, 10_000);
    for (int i = 0; i < 100; i++) {
      // The activity clock stands still.
      split.onPeriodicEmit(output);
    }
    assertThat(output.seen).hasSize(100).containsOnly("4999");
  }

  @Test
  void theMainOutputStaysSilentWhileThereIsASplit() {
    SourceSubtask subtask = Subtasks.of(settings(Duration.ofSeconds(3)));
    Subtasks.add(subtask, SPLIT);
    PolicyGenerator<Long> main = generator(subtask, 1);
    pass(Duration.ofHours(1), main);
    pass(Duration.ofHours(1), main);
    assertThat(output.seen).isEmpty();
  }

  @Test
  void theMainOutputSpeaksForASubtaskWithoutSplitsAfterItsIdleTimeout() {
    PolicyGenerator<Long> main = generator(Subtasks.of(settings(Duration.ofSeconds(3))), 1);
    main.onPeriodicEmit(output);
    pass(Duration.ofSeconds(2), main);
    assertThat(output.seen).isEmpty();
    pass(Duration.ofSeconds(1), main);
    assertThat(output.seen).containsExactly("idle");
  }

  @Test
  void withoutAnIdleTimeoutASubtaskWithoutSplitsWaitsForTheSplitsToBeHandedOut() {
    PolicyGenerator<Long> main = generator(Subtasks.of(settings(null)), 1);
    main.onPeriodicEmit(output);
    pass(PolicyGenerator.NO_SPLIT_TIMEOUT.minusMillis(1), main);
    assertThat(output.seen).isEmpty();
    pass(Duration.ofMillis(1), main);
    assertThat(output.seen).containsExactly("idle");
  }

  @Test
  void aSubtaskWhoseSplitsComeLateCountsAgainBeforeTheirFirstRecord() {
    SourceSubtask subtask = Subtasks.of(settings(Duration.ofSeconds(3)));
    PolicyGenerator<Long> main = generator(subtask, 1);
    main.onPeriodicEmit(output);
    pass(Duration.ofSeconds(4), main);
    assertThat(output.seen).containsExactly("idle");

    Subtasks.add(subtask, SPLIT);
    PolicyGenerator<Long> split = generator(subtask, 1);
    cycle(split, main);
    cycle(split, main);
    assertThat(output.seen).containsExactly("idle", "active");

    record(subtask, split, 10_000);
    cycle(split, main);
    cycle(split, main);
    assertThat(output.seen).containsExactly("idle", "active", "4999", "idle", "4999");
  }

  @Test
  void aSubtaskWhoseLateSplitsStaySilentIsIdleAgain() {
    SourceSubtask subtask = Subtasks.of(settings(Duration.ofSeconds(3)));
    PolicyGenerator<Long> main = generator(subtask, 1);
    main.onPeriodicEmit(output);
    pass(Duration.ofSeconds(4), main);
    Subtasks.add(subtask, SPLIT);
    PolicyGenerator<Long> split = generator(subtask, 1);
    cycle(split, main);
    activityClock.advanceTime(Duration.ofSeconds(3));
    cycle(split, main);
    cycle(split, main);
    // Active, then the split's own idleness, then that of the main output.
    assertThat(output.seen).containsExactly("idle", "active", "idle", "idle");
  }

  @Test
  void aSourceThatWritesToTheMainOutputGetsItsWatermarks() {
    SourceSubtask subtask = Subtasks.of(settings(null));
    PolicyGenerator<Long> main = generator(subtask, 1);
    subtask.current().onRecord(10_000, 0, CarriedWatermark.NONE);
    main.onEvent(10_000L, 10_000, output);
    main.onPeriodicEmit(output);
    assertThat(output.seen).containsExactly("4999");
  }

  @Test
  void untilThePolicyIsKnownNothingIsSaidAboutEventTime() {
    SourceSubtask subtask = Subtasks.of(settings(Duration.ofSeconds(3)));
    Subtasks.add(subtask, SPLIT);
    PolicyGenerator<Long> main = generator(subtask, 1);
    PolicyGenerator<Long> split = generator(subtask, 1);
    Subtasks.awaitPolicy(subtask);
    record(subtask, split, 10_000);
    for (int i = 0; i < 3; i++) {
      pass(Duration.ofSeconds(2), split);
      main.onPeriodicEmit(output);
    }
    assertThat(output.seen).isEmpty();

    Subtasks.follow(subtask, 4, SourceSettings.fallback(Duration.ofSeconds(1)));
    cycle(split, main);
    assertThat(output.seen).containsExactly("8999");
  }

  @Test
  void aSubtaskWithoutSplitsSaysNothingEitherUntilThePolicyIsKnown() {
    SourceSubtask subtask = Subtasks.of(settings(Duration.ofSeconds(3)));
    PolicyGenerator<Long> main = generator(subtask, 1);
    Subtasks.awaitPolicy(subtask);
    pass(Duration.ofHours(1), main);
    pass(Duration.ofHours(1), main);
    assertThat(output.seen).isEmpty();
  }

  @Test
  void anotherPolicyMovesTheWatermarkAndItNeverRegresses() {
    SourceSubtask subtask = Subtasks.of(settings(null));
    Subtasks.add(subtask, SPLIT);
    generator(subtask, 1);
    PolicyGenerator<Long> split = generator(subtask, 1);
    record(subtask, split, 100_000);
    split.onPeriodicEmit(output);
    Subtasks.follow(subtask, 4, SourceSettings.fallback(Duration.ofSeconds(30)));
    split.onPeriodicEmit(output);
    record(subtask, split, 130_000);
    split.onPeriodicEmit(output);
    Subtasks.follow(subtask, 5, SourceSettings.fallback(Duration.ofSeconds(1)));
    split.onPeriodicEmit(output);
    assertThat(output.seen).containsExactly("94999", "94999", "99999", "128999");
  }

  @Test
  void anotherPolicyBringsItsOwnMaximumFutureSkew() {
    SourceSubtask subtask = Subtasks.of(settings(null));
    Subtasks.add(subtask, SPLIT);
    generator(subtask, 1);
    PolicyGenerator<Long> split = generator(subtask, 1);
    SourceSettings skewed =
        new SourceSettings(
            new Bounded(Duration.ofSeconds(5)),
            Duration.ofMillis(200),
            null,
            Duration.ofSeconds(1),
            null,
            null,
            new LateDataSettings(Duration.ZERO, null));
    record(subtask, split, 10_000);
    Subtasks.follow(subtask, 4, skewed);
    record(subtask, split, 20_000);
    split.onPeriodicEmit(output);
    // The wall clock of these tests stands at 0.
    assertThat(output.seen).containsExactly("4999");
  }

  @Test
  void aSkippedSplitIsLeftOutWhileItIsReadAndCountsAgainWithItsNewestWatermark() {
    SourceSubtask subtask = Subtasks.of(settings(Duration.ofSeconds(3)));
    Subtasks.add(subtask, SPLIT);
    generator(subtask, 1);
    PolicyGenerator<Long> split = generator(subtask, 1);
    record(subtask, split, 10_000);
    split.onPeriodicEmit(output);
    Subtasks.skip(subtask, SPLIT);
    for (long time = 11_000; time <= 14_000; time += 1_000) {
      record(subtask, split, time);
      pass(Duration.ofSeconds(1), split);
    }
    assertThat(output.seen).containsExactly("4999", "idle");
    assertThat(subtask.current().tracker().watermark()).isEqualTo(8_999);
    Subtasks.skip(subtask);
    record(subtask, split, 15_000);
    split.onPeriodicEmit(output);
    assertThat(output.seen).containsExactly("4999", "idle", "active", "9999");
  }

  @Test
  void aSkippedSplitThatFallsSilentStaysLeftOutWhenItIsTakenBack() {
    SourceSubtask subtask = Subtasks.of(settings(Duration.ofSeconds(3)));
    Subtasks.add(subtask, SPLIT);
    generator(subtask, 1);
    PolicyGenerator<Long> split = generator(subtask, 1);
    record(subtask, split, 10_000);
    Subtasks.skip(subtask, SPLIT);
    pass(Duration.ZERO, split);
    pass(Duration.ofSeconds(4), split);
    Subtasks.skip(subtask);
    split.onPeriodicEmit(output);
    assertThat(output.seen).containsExactly("idle");
    record(subtask, split, 20_000);
    split.onPeriodicEmit(output);
    assertThat(output.seen).containsExactly("idle", "active", "14999");
  }

  /** Flink would never resume it. */
  @Test
  void aPausedSplitIsNotMarkedIdleForBeingSkipped() {
    SourceSubtask subtask = Subtasks.of(settings(null));
    Subtasks.add(subtask, SPLIT);
    generator(subtask, 1);
    PolicyGenerator<Long> split = generator(subtask, 1);
    record(subtask, split, 10_000);
    Subtasks.pause(subtask, SPLIT, true);
    Subtasks.skip(subtask, SPLIT);
    split.onPeriodicEmit(output);
    assertThat(output.seen).containsExactly("4999");
    Subtasks.pause(subtask, SPLIT, false);
    split.onPeriodicEmit(output);
    assertThat(output.seen).containsExactly("4999", "idle");
  }

  @Test
  void aSilentSplitWithARecordToBeReadIsNotIdleUntilItsReaderMovesOn() {
    StandsAt reader = new StandsAt(7);
    SourceSubtask subtask = Subtasks.of(settings(Duration.ofSeconds(3)), reader);
    Subtasks.add(subtask, SPLIT);
    generator(subtask, 1);
    PolicyGenerator<Long> split = generator(subtask, 1);
    record(subtask, split, 10_000);
    split.onPeriodicEmit(output);
    Subtasks.unread(subtask, SPLIT, 7);
    pass(Duration.ofHours(1), split);
    assertThat(output.seen).containsExactly("4999", "4999");
    assertThat(subtask.current().isIdle()).isFalse();
    // A record that the deserializer drops: what was found has been read, and nothing came of it.
    reader.position = 8;
    split.onPeriodicEmit(output);
    assertThat(output.seen).containsExactly("4999", "4999", "idle");
  }

  @Test
  void aSilentSplitIsIdleAtOnceWhenThereIsNothingToBeReadAnyMoreOrNobodyKnows() {
    SourceSubtask subtask = Subtasks.of(settings(Duration.ofSeconds(3)), new StandsAt(7));
    Subtasks.add(subtask, SPLIT);
    generator(subtask, 1);
    PolicyGenerator<Long> split = generator(subtask, 1);
    record(subtask, split, 10_000);
    split.onPeriodicEmit(output);
    Subtasks.unread(subtask, SPLIT, 7);
    pass(Duration.ofSeconds(4), split);
    Subtasks.nothingUnread(subtask);
    split.onPeriodicEmit(output);
    assertThat(output.seen).containsExactly("4999", "4999", "idle");
  }

  @Test
  void aSplitThatWentIdleBeforeItsRecordsWereFoundCountsAgain() {
    SourceSubtask subtask = Subtasks.of(settings(Duration.ofSeconds(3)), new StandsAt(7));
    Subtasks.add(subtask, SPLIT);
    generator(subtask, 1);
    PolicyGenerator<Long> split = generator(subtask, 1);
    record(subtask, split, 10_000);
    split.onPeriodicEmit(output);
    pass(Duration.ofSeconds(4), split);
    Subtasks.unread(subtask, SPLIT, 7);
    split.onPeriodicEmit(output);
    assertThat(output.seen).containsExactly("4999", "idle", "active", "4999");
  }

  /** Then it is left out for being skipped, as any other. */
  @Test
  void aSkippedSplitIsLeftOutThoughItHasARecordToBeRead() {
    SourceSubtask subtask = Subtasks.of(settings(Duration.ofSeconds(3)), new StandsAt(7));
    Subtasks.add(subtask, SPLIT);
    generator(subtask, 1);
    PolicyGenerator<Long> split = generator(subtask, 1);
    record(subtask, split, 10_000);
    split.onPeriodicEmit(output);
    Subtasks.unread(subtask, SPLIT, 7);
    Subtasks.skip(subtask, SPLIT);
    pass(Duration.ofSeconds(4), split);
    assertThat(output.seen).containsExactly("4999", "idle");
  }

  private static final class StandsAt implements ReadPositions<SourceSplit> {
    private long position;

    private StandsAt(long position) {
      this.position = position;
    }

    @Override
    public SourceReaderContext watch(SourceReaderContext context) {
      return context;
    }

    @Override
    public void assigned(SourceSplit split) {}

    @Override
    public SplitPosition of(String splitId) {
      return new SplitPosition(splitId, position, Long.MAX_VALUE);
    }
  }

  @Test
  void theSlowerOfTwoSourcesEmitsAtEveryFourthCycle() {
    EmitCycle cycle = new EmitCycle();
    assertThat(cycle.include(Duration.ofMillis(200))).isEqualTo(Duration.ofMillis(200));
    assertThat(cycle.include(Duration.ofMillis(50))).isEqualTo(Duration.ofMillis(50));
    assertThat(emissionsInTwelveCycles(cycle.cyclesPer(Duration.ofMillis(200)))).isEqualTo(3);
    assertThat(emissionsInTwelveCycles(cycle.cyclesPer(Duration.ofMillis(50)))).isEqualTo(12);
  }

  @Test
  void byCountAWatermarkFollowsEveryThirdRecordAndTheRestWhenTheSplitGoesIdle() {
    SourceSubtask subtask = Subtasks.of(byCount(3, List.of()));
    Subtasks.add(subtask, SPLIT);
    generator(subtask, 1);
    PolicyGenerator<Long> split = generator(subtask, 1);
    for (long time : new long[] {10_000, 11_000, 12_000, 13_000}) {
      record(subtask, split, time);
      split.onPeriodicEmit(output);
    }
    assertThat(output.seen).containsExactly("6999");
    pass(Duration.ofSeconds(4), split);
    assertThat(output.seen).containsExactly("6999", "7999", "idle");
    for (int i = 0; i < 3; i++) {
      record(subtask, split, 20_000);
    }
    assertThat(output.seen).containsExactly("6999", "7999", "idle", "active", "14999");
  }

  @Test
  void anOverriddenSplitHasItsOwnConstantAndIdleTimeout() {
    PartitionOverride slow =
        new PartitionOverride(
            "slow",
            "trips",
            List.of(new PartitionRange(0, 0)),
            Duration.ofSeconds(45),
            Duration.ofSeconds(10));
    SourceSubtask subtask = Subtasks.of(byCount(1, List.of(slow)));
    Subtasks.add(subtask, SPLIT);
    generator(subtask, 1);
    PolicyGenerator<Long> split = generator(subtask, 1);
    record(subtask, split, 100_000);
    split.onPeriodicEmit(output);
    pass(Duration.ofSeconds(9), split);
    assertThat(output.seen).containsExactly("54999");
    pass(Duration.ofSeconds(1), split);
    assertThat(output.seen).containsExactly("54999", "idle");
  }

  /** Flink would tell nobody of a partition that counts again and has no new watermark. */
  @Test
  void anotherIdleTimeoutCountsTheSilenceSoFarAndWakesNoIdleSplit() {
    SourceSubtask subtask = Subtasks.of(byCount(1, List.of()));
    Subtasks.add(subtask, SPLIT);
    generator(subtask, 1);
    PolicyGenerator<Long> split = generator(subtask, 1);
    record(subtask, split, 100_000);
    split.onPeriodicEmit(output);
    pass(Duration.ofSeconds(2), split);
    assertThat(output.seen).containsExactly("94999");
    Subtasks.follow(subtask, 4, byCount(1, List.of(silentFor(Duration.ofSeconds(1)))));
    split.onPeriodicEmit(output);
    assertThat(output.seen).containsExactly("94999", "idle");
    Subtasks.follow(subtask, 5, byCount(1, List.of(silentFor(Duration.ofSeconds(10)))));
    split.onPeriodicEmit(output);
    assertThat(output.seen).containsExactly("94999", "idle");
    record(subtask, split, 101_000);
    split.onPeriodicEmit(output);
    pass(Duration.ofSeconds(9), split);
    assertThat(output.seen).containsExactly("94999", "idle", "active", "95999");
    pass(Duration.ofSeconds(1), split);
    assertThat(output.seen).containsExactly("94999", "idle", "active", "95999", "idle");
  }

  private static PartitionOverride silentFor(Duration idleTimeout) {
    return new PartitionOverride(
        "silent", "trips", List.of(new PartitionRange(0, 0)), null, idleTimeout);
  }

  @Test
  void aCarriedWatermarkIsEmitted() {
    SourceSubtask subtask =
        Subtasks.of(
            new SourceSettings(
                new Punctuated("watermark"),
                Duration.ofMillis(200),
                null,
                null,
                null,
                null,
                new LateDataSettings(Duration.ZERO, null)));
    Subtasks.add(subtask, SPLIT);
    generator(subtask, 1);
    PolicyGenerator<Long> split = generator(subtask, 1);
    record(subtask, split, 10_000);
    split.onPeriodicEmit(output);
    assertThat(output.seen).isEmpty();
    carried = 7_000;
    record(subtask, split, 10_000);
    split.onPeriodicEmit(output);
    assertThat(output.seen).containsExactly("7000");
  }

  private static SourceSettings byCount(int records, List<PartitionOverride> overrides) {
    return new SourceSettings(
        new Bounded(Duration.ofSeconds(5)),
        Duration.ofMillis(200),
        records,
        null,
        null,
        Duration.ofSeconds(3),
        overrides,
        null,
        new LateDataSettings(Duration.ZERO, null));
  }

  private int emissionsInTwelveCycles(int cyclesPerEmission) {
    SourceSubtask subtask = Subtasks.of(settings(null));
    Subtasks.add(subtask, SPLIT);
    generator(subtask, cyclesPerEmission);
    PolicyGenerator<Long> split = generator(subtask, cyclesPerEmission);
    record(subtask, split, 10_000);
    output.seen.clear();
    for (int i = 0; i < 12; i++) {
      split.onPeriodicEmit(output);
    }
    return output.seen.size();
  }

  private static SourceSettings settings(@Nullable Duration idleTimeout) {
    return new SourceSettings(
        new Bounded(Duration.ofSeconds(5)),
        Duration.ofMillis(200),
        null,
        null,
        idleTimeout,
        null,
        new LateDataSettings(Duration.ZERO, null));
  }

  private PolicyGenerator<Long> generator(SourceSubtask subtask, int cyclesPerEmission) {
    return new PolicyGenerator<>(subtask, activityClock, () -> 0, cyclesPerEmission);
  }

  /** What Flink does with a record of the split: timestamp first, then the generator. */
  private void record(SourceSubtask subtask, PolicyGenerator<Long> generator, long time) {
    Subtasks.speaking(subtask, SPLIT);
    TrackingTimestampAssigner<Long> assigner =
        new TrackingTimestampAssigner<>(
            subtask,
            element -> element,
            element -> ReferenceTime.WALL_CLOCK,
            element -> carried,
            () -> 0);
    generator.onEvent(time, assigner.extractTimestamp(time, Long.MIN_VALUE), output);
  }

  private void pass(Duration time, PolicyGenerator<Long> generator) {
    activityClock.advanceTime(time);
    generator.onPeriodicEmit(output);
  }

  /** The order in which Flink asks. */
  private void cycle(PolicyGenerator<Long> split, PolicyGenerator<Long> main) {
    split.onPeriodicEmit(output);
    main.onPeriodicEmit(output);
  }

  private static final class Recorder implements WatermarkOutput {
    private final List<String> seen = new ArrayList<>();

    @Override
    public void emitWatermark(Watermark watermark) {
      seen.add(String.valueOf(watermark.getTimestamp()));
    }

    @Override
    public void markIdle() {
      seen.add("idle");
    }

    @Override
    public void markActive() {
      seen.add("active");
    }
  }
}
