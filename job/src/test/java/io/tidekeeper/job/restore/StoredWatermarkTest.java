package io.tidekeeper.job.restore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.junit.jupiter.api.Test;

class StoredWatermarkTest {

  private static final int MAX_PARALLELISM = 128;

  private static StoredWatermark stored(int subtask, int parallelism, long watermark) {
    return new StoredWatermark(subtask, parallelism, MAX_PARALLELISM, watermark, false);
  }

  @Test
  void theSameParallelismGivesEachSubtaskItsOwn() {
    List<StoredWatermark> old = List.of(stored(0, 2, 100), stored(1, 2, 200));
    assertThat(StoredWatermark.restoredFor(old, 0, 2, MAX_PARALLELISM)).isEqualTo(100);
    assertThat(StoredWatermark.restoredFor(old, 1, 2, MAX_PARALLELISM)).isEqualTo(200);
  }

  @Test
  void oneSubtaskThatTakesOverAllGoesOnFromTheHighest() {
    List<StoredWatermark> old = List.of(stored(0, 2, 100), stored(1, 2, 200));
    assertThat(StoredWatermark.restoredFor(old, 0, 1, MAX_PARALLELISM)).isEqualTo(200);
  }

  @Test
  void newSubtasksLookAtTheOnesWhoseKeyGroupsTheyTakeOverOnly() {
    List<StoredWatermark> old = List.of(stored(0, 2, 100), stored(1, 2, 200));
    assertThat(StoredWatermark.restoredFor(old, 0, 4, MAX_PARALLELISM)).isEqualTo(100);
    assertThat(StoredWatermark.restoredFor(old, 1, 4, MAX_PARALLELISM)).isEqualTo(100);
    assertThat(StoredWatermark.restoredFor(old, 2, 4, MAX_PARALLELISM)).isEqualTo(200);
    assertThat(StoredWatermark.restoredFor(old, 3, 4, MAX_PARALLELISM)).isEqualTo(200);
  }

  @Test
  void aSubtaskThatHadNoWatermarkYetHoldsNothingBack() {
    List<StoredWatermark> old = List.of(stored(0, 2, Long.MIN_VALUE), stored(1, 2, 200));
    assertThat(StoredWatermark.restoredFor(old, 0, 1, MAX_PARALLELISM)).isEqualTo(200);
    assertThat(StoredWatermark.restoredFor(old, 0, 2, MAX_PARALLELISM)).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void anotherMaximumParallelismMapsNoKeyGroupsSoTheHighestCounts() {
    List<StoredWatermark> old = List.of(stored(0, 2, 100), stored(1, 2, 200));
    assertThat(StoredWatermark.restoredFor(old, 0, 2, 64)).isEqualTo(200);
  }

  @Property
  void noKeyGoesBackBehindTheWatermarkItWasProcessedUnder(
      @ForAll @IntRange(min = 1, max = 16) int before,
      @ForAll @IntRange(min = 1, max = 16) int after,
      @ForAll @IntRange(min = 0, max = 127) int keyGroup) {
    List<StoredWatermark> old =
        IntStream.range(0, before)
            .mapToObj(subtask -> stored(subtask, before, 1000L + subtask * 37 % 11))
            .toList();
    int ownerBefore = owner(before, keyGroup);
    int ownerAfter = owner(after, keyGroup);
    assertThat(StoredWatermark.restoredFor(old, ownerAfter, after, MAX_PARALLELISM))
        .isGreaterThanOrEqualTo(old.get(ownerBefore).watermark());
  }

  private static int owner(int parallelism, int keyGroup) {
    return KeyGroupRangeAssignment.computeOperatorIndexForKeyGroup(
        MAX_PARALLELISM, parallelism, keyGroup);
  }
}
