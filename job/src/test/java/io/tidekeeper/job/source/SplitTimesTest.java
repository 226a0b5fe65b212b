package io.tidekeeper.job.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.policy.SourceSettings;
import io.tidekeeper.policy.watermark.PartitionTracker;
import io.tidekeeper.policy.watermark.SourceLearning;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a split says of its times at whatever moment it is asked. */
class SplitTimesTest {

  private static final Duration CYCLE = Duration.ofMillis(200);

  private long nanos = Long.MAX_VALUE - Duration.ofSeconds(3).toNanos();
  private final SplitTracker split =
      new SplitTracker(
          "t-0", SourceSettings.fallback(Duration.ofSeconds(5)), new SourceLearning(), () -> nanos);

  @Test
  void theLagGrowsWithTheWallClockAloneAndIsNeverBelowZero() {
    assertThat(split.watermarkLagMillis(100_000)).as("no watermark").isEqualTo(-1);
    record(100_000);
    assertThat(split.watermarkLagMillis(100_000)).as("none yet").isEqualTo(-1);
    split.advance(0);
    assertThat(split.watermarkLagMillis(100_000)).isEqualTo(5_001);
    assertThat(split.watermarkLagMillis(3_700_000)).isEqualTo(3_605_001);
    assertThat(split.watermarkLagMillis(94_998)).as("of the future").isZero();
    split.setIdle(true);
    split.setSkipped(true);
    split.setPaused(true);
    assertThat(split.watermarkLagMillis(100_000)).isEqualTo(5_001);
    split.finish();
    assertThat(split.watermarkLagMillis(100_000)).as("read to its end").isEqualTo(-1);
  }

  /** The three parts of a lag: the bound, the delay of the source, and what has passed since. */
  @Test
  void theDelayOfTheSourceHasNoPartOfThePause() {
    long wall = 200_000;
    assertThat(split.sourceDelayMillis(wall)).as("no record").isEqualTo(-1);
    cycle();
    record(Long.MIN_VALUE);
    cycle();
    assertThat(split.sourceDelayMillis(wall)).as("no timestamp").isEqualTo(-1);
    record(wall - 3_000);
    split.onCycle();
    split.advance(0);
    long delay = split.sourceDelayMillis(wall);
    assertThat(delay).as("3 s, one cycle too low at most").isBetween(2_800L, 3_000L);

    split.setPaused(true);
    pass(Duration.ofHours(1));
    wall += Duration.ofHours(1).toMillis();
    assertThat(split.sourceDelayMillis(wall)).isEqualTo(delay);
    assertThat(split.watermarkLagMillis(wall))
        .isEqualTo(5_000 + 1 + delay + split.millisSinceRecord());
    split.setPaused(false);
    // It has waited for an hour, and that is what the delay of the source is now.
    record(wall - 3_600_000);
    split.onCycle();
    assertThat(split.sourceDelayMillis(wall)).isBetween(3_599_800L, 3_600_000L);
    record(wall + 1);
    split.onCycle();
    assertThat(split.sourceDelayMillis(wall)).as("ahead of the clock").isZero();
    split.finish();
    assertThat(split.sourceDelayMillis(wall)).isEqualTo(-1);
  }

  @Test
  void theTimeOfReadingHasNoPauses() {
    pass(Duration.ofSeconds(2));
    split.setPaused(true);
    pass(Duration.ofSeconds(30));
    assertThat(split.readNanos()).isEqualTo(Duration.ofSeconds(2).toNanos());
    split.setPaused(false);
    pass(Duration.ofNanos(7));
    assertThat(split.readNanos()).isEqualTo(Duration.ofSeconds(2).toNanos() + 7);
  }

  @Test
  void anAbsurdWatermarkDoesNotTurnTheLagAround() {
    record(Long.MIN_VALUE + 6_000);
    split.advance(0);
    assertThat(split.watermarkLagMillis(100_000)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void theAgeOfTheLastRecordIsAtMostACycleTooHighAndNeverTooLow() {
    pass(Duration.ofSeconds(1));
    assertThat(split.millisSinceRecord()).as("since the assignment").isEqualTo(1_000);
    cycle();
    pass(Duration.ofMillis(150));
    record(1);
    pass(Duration.ofMillis(50));
    split.onCycle();
    assertThat(split.millisSinceRecord()).as("50 ms, and what was before").isEqualTo(200);
    for (int i = 0; i < 50; i++) {
      cycle();
    }
    assertThat(split.millisSinceRecord()).isEqualTo(10_200);
    record(Long.MIN_VALUE);
    cycle();
    assertThat(split.millisSinceRecord()).as("malformed is a record too").isEqualTo(200);
  }

  /** Cycles run on the thread that is stuck. */
  @Test
  void theAgeIsRightWhileTheTaskIsStuckInItsOutput() {
    cycle();
    record(1);
    pass(Duration.ofSeconds(25));
    assertThat(split.millisSinceRecord()).isEqualTo(25_000);
    pass(Duration.ofSeconds(30));
    assertThat(split.millisSinceRecord()).isEqualTo(55_000);
    split.finish();
    assertThat(split.millisSinceRecord()).isEqualTo(-1);
  }

  @Test
  void pausesAreCountedAndTheOneUnderWayIsInTheirTime() {
    assertThat(split.pauses().count()).isZero();
    assertThat(split.pauses().millis()).isZero();
    split.setPaused(true);
    pass(Duration.ofSeconds(4));
    split.setPaused(true);
    assertThat(split.pauses().count()).isEqualTo(1);
    assertThat(split.pauses().millis()).isEqualTo(4_000);
    split.setPaused(false);
    pass(Duration.ofSeconds(10));
    assertThat(split.pauses().millis()).isEqualTo(4_000);
    split.setPaused(true);
    pass(Duration.ofSeconds(1));
    assertThat(split.pauses().count()).isEqualTo(2);
    assertThat(split.pauses().millis()).isEqualTo(5_000);
    split.finish();
    pass(Duration.ofSeconds(10));
    assertThat(split.pauses().millis()).as("its end ends the pause").isEqualTo(5_000);
  }

  private void record(long timestamp) {
    split.onRecord(timestamp, 0, PartitionTracker.NO_WATERMARK);
  }

  private void cycle() {
    pass(CYCLE);
    split.onCycle();
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }
}
