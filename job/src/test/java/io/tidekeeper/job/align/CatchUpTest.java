package io.tidekeeper.job.align;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CatchUpTest {

  private static final long INTERVAL = 1_000;
  private static final long STRETCH = 10 * INTERVAL;
  private static final long DAY = Duration.ofDays(1).toMillis();

  private CatchUp catchUp = CatchUp.NONE;
  private long now;
  private long eventTime = 1_764_547_200_000L;
  private long records;
  private long readMillis;

  @Test
  void threeIntervalsAtTheSpeedOfReadingAreRecommended() {
    see(SplitState.ACTIVE);
    for (int stretch = 0; stretch < 2; stretch++) {
      read(STRETCH, 100 * STRETCH);
      assertThat(recommended()).as("too little is known").isEqualTo(-1);
    }
    read(STRETCH, 100 * STRETCH);
    assertThat(recommended()).isEqualTo(300_000);
    assertThat(catchUp.recommendedMaxDrift(200)).as("with a shorter interval").isEqualTo(60_000);
  }

  @Test
  void howMuchAlignmentSlowsItDownDoesNotMatter() {
    see(SplitState.ACTIVE);
    for (int round = 0; round < 30; round++) {
      // Of each second 20 ms are read, 100 times as fast as the clock.
      advance(INTERVAL, 20, 2_000, 10);
      see(SplitState.PAUSED);
    }
    assertThat(recommended()).isEqualTo(300_000);
  }

  @Test
  void aStreamThatKeepsUpIsNotCatchingUpAlsoWhenItComesInBatches() {
    see(SplitState.ACTIVE);
    for (int second = 0; second < 100; second++) {
      boolean batch = second % 5 == 0;
      advance(INTERVAL, INTERVAL, batch ? 5_000 : 0, batch ? 500 : 0);
      see(SplitState.ACTIVE);
    }
    assertThat(recommended()).isEqualTo(-1);
  }

  @Test
  void whatWasMeasuredIsKeptWhenItHasCaughtUp() {
    see(SplitState.ACTIVE);
    for (int stretch = 0; stretch < 3; stretch++) {
      read(STRETCH, 100 * STRETCH);
    }
    for (int stretch = 0; stretch < 100; stretch++) {
      read(STRETCH, STRETCH);
    }
    assertThat(recommended()).isEqualTo(300_000);
  }

  @Test
  void theNewestCountAndTheMedianOfThem() {
    see(SplitState.ACTIVE);
    for (int stretch = 0; stretch < 50; stretch++) {
      read(STRETCH, 1_000 * STRETCH);
    }
    for (int stretch = 0; stretch < CatchUp.MOST_STRETCHES / 2 + 1; stretch++) {
      read(STRETCH, 20 * STRETCH);
    }
    assertThat(recommended()).isEqualTo(60_000);
    assertThat(catchUp.speeds()).hasSize(CatchUp.MOST_STRETCHES);
  }

  @Test
  void aGapInEventTimeMisleadsNobody() {
    see(SplitState.ACTIVE);
    read(STRETCH, 100 * STRETCH);
    read(STRETCH, DAY);
    read(STRETCH, 100 * STRETCH);
    assertThat(recommended()).isEqualTo(300_000);
  }

  @Test
  void fewRecordsThatLeapOverSilenceAreNoCatchingUp() {
    see(SplitState.ACTIVE);
    for (int stretch = 0; stretch < 10; stretch++) {
      advance(STRETCH, STRETCH, 600_000, 1);
      see(SplitState.ACTIVE);
    }
    assertThat(recommended()).isEqualTo(-1);
  }

  @Test
  void nobodyReadsWhileALeaderWaitsAllTheTime() {
    see(SplitState.ACTIVE);
    for (int stretch = 0; stretch < 10; stretch++) {
      advance(STRETCH, 0, 0, 0);
      see(SplitState.PAUSED);
    }
    assertThat(recommended()).isEqualTo(-1);
  }

  @Test
  void aSplitThatWasSilentBeginsANewStretch() {
    see(SplitState.ACTIVE);
    for (int night = 0; night < 10; night++) {
      advance(STRETCH, STRETCH, 0, 0);
      see(SplitState.IDLE);
      advance(INTERVAL, INTERVAL, DAY, 100);
      see(SplitState.ACTIVE);
    }
    assertThat(recommended()).isEqualTo(-1);
  }

  @Test
  void aSplitThatStartsAnewBeginsANewStretch() {
    advance(INTERVAL, INTERVAL, 0, 10);
    see(SplitState.ACTIVE);
    now += INTERVAL;
    records = 5;
    readMillis = 100;
    see(SplitState.ACTIVE);
    advance(STRETCH - INTERVAL, STRETCH - INTERVAL, DAY, 1_000);
    see(SplitState.ACTIVE);
    assertThat(catchUp.speeds()).isEmpty();
    advance(INTERVAL, INTERVAL, 0, 0);
    see(SplitState.ACTIVE);
    assertThat(catchUp.speeds()).hasSize(1);
  }

  @Test
  void splitsAreMeasuredEachForItself() {
    for (int stretch = 0; stretch < 3; stretch++) {
      long end = stretch * STRETCH;
      catchUp =
          catchUp.observe(
              List.of(split("a", 10 * end, end), split("b", 30 * end, end)), end, INTERVAL);
    }
    assertThat(catchUp.speeds()).containsExactlyInAnyOrder(10.0, 10.0, 30.0, 30.0);
    // A split without event time has nothing to say.
    catchUp = catchUp.observe(List.of(split("c", Long.MIN_VALUE, 0)), 0, INTERVAL);
    assertThat(catchUp.marks()).isEmpty();
  }

  private static SplitObservation split(String id, long eventTime, long millis) {
    return new SplitObservation(
        id, eventTime, eventTime, millis, SplitState.ACTIVE, Duration.ofMillis(millis).toNanos());
  }

  private long recommended() {
    return catchUp.recommendedMaxDrift(INTERVAL);
  }

  /** A stretch without a pause. */
  private void read(long millis, long gained) {
    advance(millis, millis, gained, 1_000);
    see(SplitState.ACTIVE);
  }

  private void advance(long millis, long reading, long gained, long newRecords) {
    now += millis;
    readMillis += reading;
    eventTime += gained;
    records += newRecords;
  }

  private void see(SplitState state) {
    SplitObservation split =
        new SplitObservation(
            "t-0", eventTime, eventTime, records, state, Duration.ofMillis(readMillis).toNanos());
    catchUp = catchUp.observe(List.of(split), now, INTERVAL);
  }
}
