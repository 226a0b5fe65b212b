package io.tidekeeper.job.watermark;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.job.source.SourceSubtask;
import io.tidekeeper.job.source.Subtasks;
import io.tidekeeper.policy.Bounded;
import io.tidekeeper.policy.LateDataSettings;
import io.tidekeeper.policy.SourceSettings;
import io.tidekeeper.policy.watermark.Verdict;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TrackingTimestampAssignerTest {

  private static final String SPLIT = "trips-0";
  private static final long NOW = 1_000_000;
  private static final long SKEW = 60_000;

  private final AtomicLong wallClock = new AtomicLong(NOW);
  private final AtomicLong readings = new AtomicLong();
  private long reference = ReferenceTime.WALL_CLOCK;

  private final SourceSubtask subtask = subtask();
  private final TrackingTimestampAssigner<Long> assigner =
      new TrackingTimestampAssigner<>(
          subtask,
          element -> element,
          element -> reference,
          element -> CarriedWatermark.NONE,
          () -> {
            readings.incrementAndGet();
            return wallClock.get();
          });

  @Test
  void readsTheWallClockOnlyForRecordsItsLastReadingWouldCallFuture() {
    for (long time = NOW - 100; time <= NOW + SKEW; time += 100) {
      assertThat(verdictOn(time)).isEqualTo(Verdict.ACCEPTED);
    }
    assertThat(readings).hasValue(1);

    assertThat(verdictOn(NOW + SKEW + 1)).isEqualTo(Verdict.FUTURE);
    wallClock.addAndGet(1);
    assertThat(verdictOn(NOW + SKEW + 1)).isEqualTo(Verdict.ACCEPTED);
    assertThat(readings).hasValue(3);
  }

  @Test
  void judgesARecordByItsOwnReferenceWhateverTheWallClockWouldAllow() {
    assertThat(verdictOn(NOW)).isEqualTo(Verdict.ACCEPTED);
    reference = NOW - 2 * SKEW;
    assertThat(verdictOn(NOW - SKEW)).isEqualTo(Verdict.ACCEPTED);
    assertThat(verdictOn(NOW - SKEW + 1)).isEqualTo(Verdict.FUTURE);
    assertThat(readings).hasValue(1);
  }

  private Verdict verdictOn(long time) {
    assertThat(assigner.extractTimestamp(time, Long.MIN_VALUE)).isEqualTo(time);
    return subtask.current().verdict();
  }

  private static SourceSubtask subtask() {
    SourceSubtask subtask =
        Subtasks.of(
            new SourceSettings(
                new Bounded(Duration.ofSeconds(5)),
                Duration.ofMillis(200),
                null,
                Duration.ofMillis(SKEW),
                null,
                null,
                new LateDataSettings(Duration.ZERO, null)));
    Subtasks.add(subtask, SPLIT);
    Subtasks.speaking(subtask, SPLIT);
    return subtask;
  }
}
