package io.tidekeeper.policy.watermark;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.policy.Bounded;
import io.tidekeeper.policy.LateDataSettings;
import io.tidekeeper.policy.NoWatermarks;
import io.tidekeeper.policy.OutOfOrderness;
import io.tidekeeper.policy.Schedule;
import io.tidekeeper.policy.ScheduleClock;
import io.tidekeeper.policy.ScheduleWindow;
import io.tidekeeper.policy.SourceSettings;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PartitionTrackerTest {

  private static final long ANY_REFERENCE = 0;

  private final PartitionTracker tracker =
      new PartitionTracker(SourceSettings.fallback(Duration.ofSeconds(5)));

  @Test
  void theWatermarkFollowsTheNewestRecordAndNeverRegresses() {
    List<Long> watermarks = new ArrayList<>();
    for (long timestamp : new long[] {1000, 3000, 2000, 5000, 4000}) {
      tracker.onRecord(timestamp, ANY_REFERENCE);
      watermarks.add(tracker.advance(0));
    }
    assertThat(watermarks).containsExactly(-4001L, -2001L, -2001L, -1L, -1L);
    assertThat(tracker.watermark()).isEqualTo(-1);
    assertThat(tracker.maxEventTime()).isEqualTo(5000);
  }

  @Test
  void aRisingOutOfOrdernessHoldsTheWatermark() {
    ScheduleWindow window =
        new ScheduleWindow(
            Set.of(DayOfWeek.THURSDAY),
            LocalTime.of(7, 0),
            LocalTime.of(9, 0),
            Duration.ofSeconds(30));
    Schedule byWallClock =
        new Schedule(
            ZoneId.of("UTC"), ScheduleClock.ProcessingTime, Duration.ofSeconds(5), List.of(window));
    PartitionTracker scheduled = new PartitionTracker(settings(byWallClock));
    // The epoch was a Thursday.
    long beforeWindow = Duration.ofHours(6).toMillis();
    long inWindow = Duration.ofHours(8).toMillis();
    scheduled.onRecord(100_000, ANY_REFERENCE);
    assertThat(scheduled.advance(beforeWindow)).isEqualTo(94_999);
    scheduled.onRecord(110_000, ANY_REFERENCE);
    assertThat(scheduled.advance(inWindow)).isEqualTo(94_999);
    assertThat(scheduled.outOfOrderness()).isEqualTo(30_000);
    scheduled.onRecord(126_000, ANY_REFERENCE);
    assertThat(scheduled.advance(inWindow)).isEqualTo(95_999);
  }

  @Test
  void nothingIsEmittedBeforeTheFirstRecord() {
    assertThat(tracker.advance(0)).isEqualTo(Long.MIN_VALUE);
    assertThat(tracker.maxEventTime()).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void extremeTimestampsDoNotWrapAround() {
    tracker.onRecord(Long.MIN_VALUE + 1, ANY_REFERENCE);
    assertThat(tracker.advance(0)).isEqualTo(Long.MIN_VALUE);

    tracker.onRecord(Long.MAX_VALUE, ANY_REFERENCE);
    assertThat(tracker.lastLateness()).isZero();
    assertThat(tracker.advance(0)).isEqualTo(Long.MAX_VALUE - 5001);

    tracker.onRecord(Long.MIN_VALUE + 1, ANY_REFERENCE);
    assertThat(tracker.lastLateness()).isEqualTo(Long.MAX_VALUE);
    assertThat(tracker.maxLateness()).isEqualTo(Long.MAX_VALUE);
    assertThat(tracker.advance(0)).isEqualTo(Long.MAX_VALUE - 5001);
  }

  @Test
  void aRecordWithoutTimestampIsActivityOnly() {
    tracker.onRecord(2000, ANY_REFERENCE);
    tracker.onRecord(1000, ANY_REFERENCE);
    assertThat(tracker.lastLateness()).isEqualTo(1000);

    assertThat(tracker.onRecord(Long.MIN_VALUE, ANY_REFERENCE)).isEqualTo(Verdict.NO_TIMESTAMP);
    assertThat(tracker.lastLateness()).isZero();
    assertThat(tracker.records()).isEqualTo(3);
    assertThat(tracker.noTimestampRecords()).isEqualTo(1);
    assertThat(tracker.latenessBucket(PartitionTracker.latenessBuckets() - 1)).isEqualTo(2);
    assertThat(tracker.maxEventTime()).isEqualTo(2000);
  }

  @Test
  void latenessIsMeasuredAgainstTheNewestRecordBefore() {
    for (long timestamp : new long[] {10_000, 9_900, 9_899, 9_000, 11_000, 1_000}) {
      tracker.onRecord(timestamp, ANY_REFERENCE);
    }
    assertThat(tracker.lastLateness()).isEqualTo(10_000);
    assertThat(tracker.maxLateness()).isEqualTo(10_000);
    List<Long> upTo = new ArrayList<>();
    for (int bucket = 0; bucket < PartitionTracker.latenessBuckets(); bucket++) {
      upTo.add(tracker.latenessBucket(bucket));
    }
    // Bounds: 0, 100 ms, 500 ms, 1 s, 2 s, 5 s, 10 s, ...
    assertThat(upTo).startsWith(2L, 3L, 4L, 5L, 5L, 5L, 6L).endsWith(6L, 6L);
    assertThat(PartitionTracker.latenessBound(6)).isEqualTo(10_000);
    assertThat(PartitionTracker.latenessBound(PartitionTracker.latenessBuckets() - 1))
        .isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aQuantileOfLatenessIsTheUpperBoundOfItsBucketAndNeverAboveTheLargest() {
    assertThat(tracker.latenessQuantile(0.5)).isZero();
    tracker.onRecord(10_000_000, ANY_REFERENCE);
    for (int i = 0; i < 94; i++) {
      tracker.onRecord(10_000_000, ANY_REFERENCE);
    }
    for (int i = 0; i < 3; i++) {
      tracker.onRecord(10_000_000 - 700, ANY_REFERENCE);
    }
    assertThat(tracker.latenessQuantile(1)).as("below its bucket's bound").isEqualTo(700);
    tracker.onRecord(10_000_000 - 1_500, ANY_REFERENCE);
    tracker.onRecord(10_000_000 - 7_000_000, ANY_REFERENCE);
    assertThat(tracker.records()).isEqualTo(100);
    assertThat(tracker.latenessQuantile(0.5)).isZero();
    assertThat(tracker.latenessQuantile(0.95)).isZero();
    assertThat(tracker.latenessQuantile(0.96)).isEqualTo(1_000);
    assertThat(tracker.latenessQuantile(0.99)).isEqualTo(2_000);
    assertThat(tracker.latenessQuantile(1)).as("no bound above").isEqualTo(7_000_000);
  }

  @Test
  void theOutOfOrdernessInForceIsKeptForReaders() {
    assertThat(tracker.outOfOrderness()).isZero();
    tracker.onRecord(1000, ANY_REFERENCE);
    tracker.advance(0);
    assertThat(tracker.outOfOrderness()).isEqualTo(5000);
    assertThat(tracker.outOfOrderness(0)).isEqualTo(5000);
  }

  @Test
  void withoutWatermarksRecordsAreStillMeasured() {
    PartitionTracker silent = new PartitionTracker(settings(new NoWatermarks()));
    silent.onRecord(2000, ANY_REFERENCE);
    silent.onRecord(1000, ANY_REFERENCE);
    assertThat(silent.advance(0)).isEqualTo(Long.MIN_VALUE);
    assertThat(silent.outOfOrderness()).isZero();
    assertThat(silent.maxLateness()).isEqualTo(1000);
  }

  @Test
  void otherSettingsNeverMoveTheWatermarkBack() {
    for (long timestamp : new long[] {10_000, 9_000, 20_000}) {
      tracker.onRecord(timestamp, ANY_REFERENCE);
    }
    assertThat(tracker.advance(0)).isEqualTo(14_999);

    tracker.settings(SourceSettings.fallback(Duration.ofSeconds(30)));
    assertThat(tracker.advance(0)).isEqualTo(14_999);
    assertThat(tracker.outOfOrderness()).isEqualTo(30_000);
    tracker.onRecord(46_000, ANY_REFERENCE);
    assertThat(tracker.advance(0)).isEqualTo(15_999);

    tracker.settings(SourceSettings.fallback(Duration.ofSeconds(1)));
    assertThat(tracker.advance(0)).isEqualTo(44_999);

    tracker.settings(settings(new NoWatermarks()));
    assertThat(tracker.advance(0)).isEqualTo(44_999);
    assertThat(tracker.outOfOrderness()).isZero();
    assertThat(tracker.records()).isEqualTo(4);
    assertThat(tracker.maxLateness()).isEqualTo(1000);
    assertThat(tracker.maxEventTime()).isEqualTo(46_000);
  }

  @Test
  void otherSettingsBringTheirOwnMaximumFutureSkew() {
    assertThat(tracker.onRecord(100_000, 0)).isEqualTo(Verdict.ACCEPTED);

    tracker.settings(withMaxFutureSkew(Duration.ofSeconds(10)));
    assertThat(tracker.onRecord(110_001, 100_000)).isEqualTo(Verdict.FUTURE);
    assertThat(tracker.maxEventTime()).isEqualTo(100_000);

    tracker.settings(withMaxFutureSkew(Duration.ofMinutes(1)));
    assertThat(tracker.onRecord(110_001, 100_000)).isEqualTo(Verdict.ACCEPTED);
    assertThat(tracker.futureRecords()).isEqualTo(1);
  }

  private static SourceSettings withMaxFutureSkew(Duration skew) {
    return new SourceSettings(
        new Bounded(Duration.ofSeconds(5)),
        SourceSettings.DEFAULT_EMIT_INTERVAL,
        null,
        skew,
        null,
        null,
        new LateDataSettings(Duration.ZERO, null));
  }

  private static SourceSettings settings(OutOfOrderness strategy) {
    return new SourceSettings(
        strategy,
        SourceSettings.DEFAULT_EMIT_INTERVAL,
        null,
        null,
        null,
        null,
        new LateDataSettings(Duration.ZERO, null));
  }
}
