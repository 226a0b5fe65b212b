package io.tidekeeper.job.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LearnedStateTest {

  private static final byte[] FIRST = {1};
  private static final byte[] SECOND = {2};
  private static final List<LearnedState> STORED =
      List.of(new LearnedState(0, 2, FIRST), new LearnedState(1, 2, SECOND));

  @Test
  void underTheSameParallelismEachSubtaskGoesOnFromItsOwn() {
    LearnedState.Share share = LearnedState.restoredFor(STORED, 1, 2);
    assertThat(share.snapshots()).containsExactly(SECOND);
    assertThat(share.subtasks()).isEqualTo(1);
  }

  @Test
  void afterRescalingEachTakesItsShareOfAll() {
    for (int parallelism : new int[] {1, 4}) {
      for (int subtask = 0; subtask < parallelism; subtask++) {
        LearnedState.Share share = LearnedState.restoredFor(STORED, subtask, parallelism);
        assertThat(share.snapshots()).containsExactly(FIRST, SECOND);
        assertThat(share.subtasks()).isEqualTo(parallelism);
      }
    }
  }

  @Test
  void withoutAnythingStoredThereIsNothingToGoOnFrom() {
    assertThat(LearnedState.restoredFor(List.of(), 0, 2).snapshots()).isEmpty();
  }
}
