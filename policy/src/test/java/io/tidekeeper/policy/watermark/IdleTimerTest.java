package io.tidekeeper.policy.watermark;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class IdleTimerTest {

  private static final long SECOND = 1_000_000_000;

  private final IdleTimer timer = new IdleTimer(Duration.ofSeconds(10));

  @Test
  void silenceForTheTimeoutIsIdle() {
    assertThat(timer.isIdle(1, 0)).isFalse();
    assertThat(timer.isIdle(1, 10 * SECOND - 1)).isFalse();
    assertThat(timer.isIdle(1, 10 * SECOND)).isTrue();
    assertThat(timer.isIdle(1, 20 * SECOND)).isTrue();
  }

  @Test
  void aRecordEndsIdlenessAndStartsTheTimeoutAgain() {
    timer.isIdle(1, 0);
    assertThat(timer.isIdle(1, 10 * SECOND)).isTrue();
    assertThat(timer.isIdle(2, 11 * SECOND)).isFalse();
    assertThat(timer.isIdle(2, 21 * SECOND - 1)).isFalse();
    assertThat(timer.isIdle(2, 21 * SECOND)).isTrue();
  }

  @Test
  void aPartitionThatNeverSpokeCountsFromTheFirstCall() {
    assertThat(timer.isIdle(0, 100 * SECOND)).isFalse();
    assertThat(timer.isIdle(0, 109 * SECOND)).isFalse();
    assertThat(timer.isIdle(0, 110 * SECOND)).isTrue();
  }

  @Test
  void aPausedClockDoesNotCount() {
    timer.isIdle(1, 9 * SECOND);
    for (int call = 0; call < 1000; call++) {
      assertThat(timer.isIdle(1, 9 * SECOND)).isFalse();
    }
  }

  @Test
  void withoutTimeoutNothingIsIdle() {
    IdleTimer never = new IdleTimer(null);
    assertThat(never.isIdle(0, 0)).isFalse();
    assertThat(never.isIdle(0, Long.MAX_VALUE)).isFalse();
  }

  @Test
  void anotherTimeoutCountsTheSilenceSoFar() {
    timer.isIdle(1, 0);
    timer.timeout(Duration.ofSeconds(20));
    assertThat(timer.isIdle(1, 10 * SECOND)).isFalse();
    timer.timeout(null);
    assertThat(timer.isIdle(1, 30 * SECOND)).isFalse();
    timer.timeout(Duration.ofSeconds(30));
    assertThat(timer.isIdle(1, 30 * SECOND)).isTrue();
  }

  @Test
  void aLongerTimeoutHoldsFromTheNextRecordOnForAPartitionThatIsIdle() {
    timer.isIdle(1, 0);
    assertThat(timer.isIdle(1, 10 * SECOND)).isTrue();
    timer.timeout(null);
    assertThat(timer.isIdle(1, 11 * SECOND)).isTrue();
    assertThat(timer.isIdle(2, 12 * SECOND)).isFalse();
    assertThat(timer.isIdle(2, 100 * SECOND)).isFalse();
  }

  @Test
  void theClockMayWrapAround() {
    assertThat(timer.isIdle(1, Long.MAX_VALUE - SECOND)).isFalse();
    assertThat(timer.isIdle(1, Long.MIN_VALUE + 8 * SECOND)).isFalse();
    assertThat(timer.isIdle(1, Long.MIN_VALUE + 9 * SECOND)).isTrue();
  }
}
