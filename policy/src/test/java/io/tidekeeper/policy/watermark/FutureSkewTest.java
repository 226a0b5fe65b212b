package io.tidekeeper.policy.watermark;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.policy.LateDataSettings;
import io.tidekeeper.policy.Monotonous;
import io.tidekeeper.policy.SourceSettings;
import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FutureSkewTest {

  private static final long MINUTE = 60_000;
  private static final long APPENDED_AT = 1_000_000_000;
  private static final long A_DAY_LATER = APPENDED_AT + 24 * 60 * MINUTE;

  @Test
  void aRecordTooFarAheadNeverAdvancesEventTime() {
    PartitionTracker tracker = tracker(Duration.ofMinutes(5));
    assertThat(tracker.onRecord(APPENDED_AT, APPENDED_AT)).isEqualTo(Verdict.ACCEPTED);
    long ahead = APPENDED_AT + 5 * MINUTE + 1;

    assertThat(tracker.onRecord(ahead, APPENDED_AT)).isEqualTo(Verdict.FUTURE);
    assertThat(tracker.lastLateness()).isZero();
    assertThat(tracker.maxEventTime()).isEqualTo(APPENDED_AT);
    assertThat(tracker.advance(0)).isEqualTo(APPENDED_AT - 1);
    assertThat(tracker.futureRecords()).isEqualTo(1);
    assertThat(tracker.records()).isEqualTo(2);
    assertThat(tracker.latenessBucket(PartitionTracker.latenessBuckets() - 1)).isEqualTo(1);
  }

  @Test
  void theLimitItselfIsNotTooFar() {
    PartitionTracker tracker = tracker(Duration.ofMinutes(5));
    long limit = APPENDED_AT + 5 * MINUTE;
    assertThat(tracker.onRecord(limit, APPENDED_AT)).isEqualTo(Verdict.ACCEPTED);
    assertThat(tracker.maxEventTime()).isEqualTo(limit);
  }

  @Test
  void theReferenceDecides() {
    long timestamp = APPENDED_AT + 60 * MINUTE;
    // When the broker appended the record proves it wrong at any time, ...
    assertThat(tracker(Duration.ofMinutes(5)).onRecord(timestamp, APPENDED_AT))
        .isEqualTo(Verdict.FUTURE);
    // ... while by the wall clock a replay is more lenient than the first reading.
    assertThat(tracker(Duration.ofMinutes(5)).onRecord(timestamp, A_DAY_LATER))
        .isEqualTo(Verdict.ACCEPTED);
  }

  @Test
  void zeroSkewMeansNothingMayBeAhead() {
    PartitionTracker tracker = tracker(Duration.ZERO);
    assertThat(tracker.onRecord(APPENDED_AT, APPENDED_AT)).isEqualTo(Verdict.ACCEPTED);
    assertThat(tracker.onRecord(APPENDED_AT + 1, APPENDED_AT)).isEqualTo(Verdict.FUTURE);
  }

  @Test
  void withoutLimitTheReferenceIsIgnored() {
    assertThat(tracker(null).onRecord(Long.MAX_VALUE, Long.MIN_VALUE)).isEqualTo(Verdict.ACCEPTED);
  }

  @Property
  void eventTimeNeverPassesReferencePlusSkew(
      @ForAll @LongRange(min = Long.MIN_VALUE) long timestamp,
      @ForAll @LongRange(min = 0, max = Long.MAX_VALUE) long reference) {
    PartitionTracker tracker = tracker(Duration.ofMinutes(5));
    tracker.onRecord(timestamp, reference);
    assertThat(tracker.maxEventTime()).isLessThanOrEqualTo(Millis.plus(reference, 5 * MINUTE));
  }

  private static PartitionTracker tracker(@Nullable Duration maxFutureSkew) {
    return new PartitionTracker(
        new SourceSettings(
            new Monotonous(),
            SourceSettings.DEFAULT_EMIT_INTERVAL,
            null,
            maxFutureSkew,
            null,
            null,
            new LateDataSettings(Duration.ZERO, null)));
  }
}
