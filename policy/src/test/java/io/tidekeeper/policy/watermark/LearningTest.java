package io.tidekeeper.policy.watermark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tidekeeper.policy.Adaptive;
import io.tidekeeper.policy.LateDataSettings;
import io.tidekeeper.policy.LateShareOver;
import io.tidekeeper.policy.OutOfOrderness;
import io.tidekeeper.policy.PartitionOverride;
import io.tidekeeper.policy.PartitionRange;
import io.tidekeeper.policy.Punctuated;
import io.tidekeeper.policy.Share;
import io.tidekeeper.policy.SourceSettings;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The strategies that learn, one behaviour each. */
class LearningTest {

  private static final long START = Streams.START;
  private static final long NONE = Long.MIN_VALUE;

  private final SourceLearning learning = new SourceLearning();

  @Test
  void aCarriedWatermarkIsTheWatermark() {
    PartitionTracker tracker = tracker("t-0", Streams.settings(new Punctuated("w"), null));
    assertThat(tracker.advance(0)).isEqualTo(NONE);
    tracker.onRecord(START, START);
    assertThat(tracker.advance(0)).as("no record carried one").isEqualTo(NONE);
    tracker.onRecord(START + 10_000, START, START + 3_000);
    tracker.onRecord(START + 11_000, START, START + 2_000);
    assertThat(tracker.advance(0)).isEqualTo(START + 3_000);
    assertThat(tracker.outOfOrderness()).isEqualTo(7_999);

    tracker.onRecord(START + 12_000, START, START + 3_600_001);
    assertThat(tracker.advance(0)).as("an hour ahead is the most").isEqualTo(START + 3_000);
    assertThat(tracker.ignoredWatermarks()).isEqualTo(1);
  }

  @Test
  void throughputTakesTheTierOfTheRateOfAllPartitions() {
    SourceSettings settings = Streams.settings(Streams.throughput(), null);
    PartitionTracker one = tracker("t-0", settings);
    PartitionTracker other = tracker("t-1", settings);
    assertThat(one.outOfOrderness(0)).as("not known yet").isEqualTo(60_000);

    // 0.5 records per second in each: together the middle tier, alone the lowest.
    feed(one, START, 100, 2_000);
    assertThat(one.outOfOrderness(0)).as("one of two is measured").isEqualTo(60_000);
    feed(other, START, 100, 2_000);
    assertThat(learning.rate()).isCloseTo(1, within(0.01));
    assertThat(one.outOfOrderness(0)).isEqualTo(30_000);
    assertThat(other.outOfOrderness(0)).isEqualTo(30_000);

    other.idle(true);
    feed(one, START + 200_000, 100, 2_000);
    assertThat(learning.rate()).isCloseTo(0.5, within(0.01));
    assertThat(one.outOfOrderness(0)).as("after a tier's own patience").isEqualTo(5_000);

    learning.ratesOfOthers(0.6);
    assertThat(one.outOfOrderness(0)).as("with the other subtasks").isEqualTo(30_000);
  }

  @Test
  void catchingUpIsNoPeak() {
    SourceSettings settings = Streams.settings(Streams.throughput(), null);
    PartitionTracker one = tracker("t-0", settings);
    PartitionTracker other = tracker("t-1", settings);
    // An hour of one partition comes before the first record of the other.
    feed(one, START, 900, 4_000);
    feed(other, START, 900, 4_000);
    assertThat(learning.rate()).isCloseTo(0.5, within(0.01));
    assertThat(one.outOfOrderness(0)).isEqualTo(5_000);
  }

  @Test
  void aTierIsLeftDownwardsATenthBelowItsStart() {
    PartitionTracker tracker = tracker("t-0", Streams.settings(Streams.throughput(), null));
    feed(tracker, START, 100, 1_000);
    assertThat(tracker.outOfOrderness(0)).isEqualTo(30_000);
    feed(tracker, START + 100_000, 200, 1_050);
    assertThat(tracker.outOfOrderness(0)).as("0.95 records per second").isEqualTo(30_000);
    feed(tracker, START + 310_000, 200, 1_200);
    assertThat(tracker.outOfOrderness(0)).as("0.83 records per second").isEqualTo(5_000);
  }

  @Test
  void theQuantileNeedsItsSamples() {
    PartitionTracker tracker = tracker("t-0", Streams.settings(Streams.quantile(100), null));
    for (int i = 0; i < 99; i++) {
      tracker.onRecord(START + i * 100L - (i % 2 == 0 ? 0 : 1000), START);
    }
    assertThat(tracker.outOfOrderness(0)).isEqualTo(1_800_000);
    tracker.onRecord(START + 10_000, START);
    // Odd records are 900 ms late; times 1.5.
    assertThat(tracker.outOfOrderness(0)).isBetween(1_350L, 1_425L);
    feed(tracker, START + 3_600_000, 200, 10);
    assertThat(tracker.outOfOrderness(0)).as("nothing late in the window").isEqualTo(200);
  }

  /** It looks at its window at every 32nd record; a savepoint in between is no look. */
  @Test
  void theQuantileLooksAgainAtTheSameRecordWithASavepointInBetween() {
    SourceSettings settings = Streams.settings(Streams.quantile(100), null);
    PartitionTracker tracker = tracker("t-0", settings);
    feed(tracker, START, 100, 100);
    for (int i = 0; i < 10; i++) {
      tracker.onRecord(START + 6_900, START);
    }
    assertThat(tracker.outOfOrderness(0)).as("not looked again yet").isEqualTo(200);

    SourceLearning copy = new SourceLearning();
    copy.restore(List.of(learning.snapshot()), 1);
    PartitionTracker restored = new PartitionTracker("t-0", settings, copy);
    for (PartitionTracker either : List.of(tracker, restored)) {
      feed(either, START + 10_000, 21, 10);
      assertThat(either.outOfOrderness(0)).isEqualTo(200);
      feed(either, START + 11_000, 1, 10);
      // Ten of 132 records are three seconds late; times 1.5.
      assertThat(either.outOfOrderness(0)).isBetween(4_500L, 4_800L);
    }
  }

  @Test
  void clocksAheadDoNotMoveTheAdaptiveFront() {
    SourceSettings settings = lenient(Streams.adaptive("1%", LateShareOver.WholeStream));
    PartitionTracker tracker = tracker("t-0", settings);
    feed(tracker, START, 1000, 100);
    long before = tracker.advance(0);
    for (int i = 0; i < 4; i++) {
      tracker.onRecord(START + 86_400_000, START);
    }
    assertThat(tracker.advance(0)).isBetween(before, before + 1000);
  }

  @Test
  void theAdaptiveShareIsKept() {
    for (LateShareOver over : LateShareOver.values()) {
      for (String asked : List.of("0.5%", "1%", "5%")) {
        Share share = Share.parse(asked);
        SourceLearning own = new SourceLearning();
        PartitionTracker tracker =
            new PartitionTracker("t-0", Streams.settings(Streams.adaptive(asked, over), null), own);
        Random random = new Random(3);
        long late = 0;
        int records = 300_000;
        for (int i = 0; i < 2 * records; i++) {
          long now = START + i * 200L;
          long time = now - (long) Math.exp(7 + random.nextGaussian());
          if (i >= records && time <= tracker.watermark()) {
            late++;
          }
          tracker.onRecord(time, now);
          tracker.advance(now);
        }
        assertThat(late / (double) records)
            .as(asked + " " + over)
            .isCloseTo(share.asFraction(), within(share.asFraction() * 0.1));
      }
    }
  }

  @Test
  void anOverriddenPartitionKeepsItsConstantAndTeachesNothing() {
    Adaptive strategy = Streams.adaptive("1%", LateShareOver.WholeStream);
    PartitionOverride depot =
        new PartitionOverride(
            "depot",
            "events",
            List.of(new PartitionRange(3, 3)),
            Duration.ofSeconds(45),
            Duration.ofMinutes(2));
    SourceSettings settings =
        new SourceSettings(
            strategy,
            SourceSettings.DEFAULT_EMIT_INTERVAL,
            null,
            null,
            null,
            null,
            List.of(depot),
            null,
            new LateDataSettings(Duration.ZERO, null));
    PartitionTracker own = tracker("events-3", settings);
    PartitionTracker other = tracker("events-4", settings);
    feed(own, START, 1000, 50_000);
    assertThat(own.advance(0)).isEqualTo(own.maxEventTime() - 45_001);
    byte[] nothing = learning.snapshot();
    assertThat(other.outOfOrderness(0)).isEqualTo(60_000);
    feed(other, START, 10, 100);
    assertThat(learning.snapshot()).isNotEqualTo(nothing);
  }

  /** Two subtasks become one or four: what they know stays, and is not counted twice. */
  @Test
  void snapshotsOfSeveralSubtasksAreMerged() {
    for (OutOfOrderness strategy :
        List.of(
            Streams.quantile(100),
            Streams.adaptive("5%", LateShareOver.EachHour),
            Streams.adaptive("5%", LateShareOver.WholeStream))) {
      SourceSettings settings = Streams.settings(strategy, null);
      SourceLearning one = new SourceLearning();
      SourceLearning other = new SourceLearning();
      long bound = late(new PartitionTracker("t-0", settings, one), 5);
      // Over the whole stream the bound of an hour is one of a few steps, each a fifth apart.
      boolean steps = strategy.equals(Streams.adaptive("5%", LateShareOver.WholeStream));
      late(new PartitionTracker("t-1", settings, other), 6);
      for (int subtasks : new int[] {1, 4}) {
        SourceLearning merged = new SourceLearning();
        merged.restore(List.of(one.snapshot(), other.snapshot()), subtasks);
        PartitionTracker tracker = new PartitionTracker("t-0", settings, merged);
        tracker.onRecord(START + 50_000_000, START + 50_000_000);
        assertThat(tracker.outOfOrderness(0))
            .as(strategy + " " + subtasks)
            .isCloseTo(bound, within(steps ? bound : bound / 5));
      }
    }
  }

  @Test
  void snapshotsOfAnotherStrategyOrALaterVersionAreLeftAside() {
    SourceSettings quantile = Streams.settings(Streams.quantile(100), null);
    late(tracker("t-0", quantile), 5);
    byte[] snapshot = learning.snapshot();
    byte[] later = snapshot.clone();
    later[0] = 99;

    SourceLearning fresh = new SourceLearning();
    fresh.restore(List.of(later, new byte[] {1}, new byte[0]), 1);
    assertThat(new PartitionTracker("t-0", quantile, fresh).outOfOrderness(0)).isEqualTo(1_800_000);

    SourceLearning adaptive = new SourceLearning();
    adaptive.restore(List.of(snapshot), 1);
    SourceSettings settings =
        Streams.settings(Streams.adaptive("1%", LateShareOver.EachHour), null);
    assertThat(new PartitionTracker("t-0", settings, adaptive).outOfOrderness(0)).isEqualTo(60_000);
  }

  @Test
  void otherValuesOfTheSameStrategyGoOnFromWhatIsKnown() {
    PartitionTracker tracker =
        tracker("t-0", Streams.settings(Streams.adaptive("1%", LateShareOver.EachHour), null));
    long before = late(tracker, 5);
    tracker.settings(Streams.settings(Streams.adaptive("5%", LateShareOver.EachHour), null));
    tracker.onRecord(START + 50_000_000, START + 50_000_000);
    assertThat(tracker.outOfOrderness(0)).isLessThan(before).isGreaterThan(before / 5);
  }

  /** A stream whose lateness is log-normal around a second; returns the bound it ends with. */
  private static long late(PartitionTracker tracker, long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 100_000; i++) {
      long now = START + i * 500L;
      tracker.onRecord(now - (long) Math.exp(7 + random.nextGaussian()), now);
    }
    return tracker.outOfOrderness(0);
  }

  private PartitionTracker tracker(String splitId, SourceSettings settings) {
    return new PartitionTracker(splitId, settings, learning);
  }

  private static SourceSettings lenient(OutOfOrderness strategy) {
    return new SourceSettings(
        strategy,
        SourceSettings.DEFAULT_EMIT_INTERVAL,
        null,
        null,
        null,
        null,
        new LateDataSettings(Duration.ZERO, null));
  }

  private static void feed(PartitionTracker tracker, long start, int records, long step) {
    for (int i = 0; i < records; i++) {
      tracker.onRecord(start + i * step, start + i * step);
    }
  }
}
