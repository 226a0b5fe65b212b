package io.tidekeeper.job.align;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.policy.AlignmentSettings;
import io.tidekeeper.policy.OnExceeded;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GroupMemberTest {

  @Test
  void sourcesOfOneGroupAreMeasuredByEachOther() {
    try (GroupMember live = GroupMember.join("job", alignment("g", Duration.ofSeconds(30)));
        GroupMember backfill = GroupMember.join("job", alignment("g", Duration.ofSeconds(30)))) {
      live.report(0, List.of(active("live-0", 100_000)));
      backfill.report(0, List.of(active("old-0", 10_000)));
      backfill.report(1, List.of(active("old-1", 20_000)));
      assertThat(backfill.skipped(0)).isEmpty();
      assertThat(backfill.skipped(30_000)).containsExactly("old-0");
      assertThat(live.skipped(30_000)).isEmpty();
      assertThat(live.drift())
          .isEqualTo(backfill.drift())
          .isEqualTo(new Drift(10_000, 100_000, 90_000));

      // Its reader does as it was told: what counts is another now, how far it is behind is not.
      backfill.report(
          0, List.of(new SplitObservation("old-0", 11_000, 11_000, 1, SplitState.SKIPPED, 0)));
      assertThat(live.drift()).isEqualTo(new Drift(20_000, 100_000, 89_000));
    }
  }

  @Test
  void groupsOfOtherNamesAndOtherJobsAreIndependent() {
    try (GroupMember leader = GroupMember.join("job", alignment("g", Duration.ofSeconds(30)));
        GroupMember otherGroup = GroupMember.join("job", alignment("h", Duration.ofSeconds(30)));
        GroupMember otherJob = GroupMember.join("job2", alignment("g", Duration.ofSeconds(30)))) {
      leader.report(0, List.of(active("a", 100_000)));
      for (GroupMember other : List.of(otherGroup, otherJob)) {
        other.report(0, List.of(active("b", 0), active("c", 1_000)));
        assertThat(other.skipped(0)).isEmpty();
        assertThat(other.skipped(60_000)).isEmpty();
        assertThat(other.drift().drift()).isEqualTo(1_000);
      }
    }
  }

  @Test
  void aSubtaskThatRestartsStartsAnew() {
    try (GroupMember member = GroupMember.join("job", alignment("g", Duration.ofSeconds(30)))) {
      member.report(0, List.of(active("a", 100_000)));
      member.report(1, List.of(active("b", 0)));
      member.skipped(0);
      assertThat(member.skipped(30_000)).containsExactly("b");
      member.forget(1);
      assertThat(member.skipped(31_000)).isEmpty();
      member.report(1, List.of(active("b", 0)));
      assertThat(member.skipped(32_000)).isEmpty();
      assertThat(member.skipped(61_999)).isEmpty();
      assertThat(member.skipped(62_000)).containsExactly("b");
    }
  }

  @Test
  void theTimeToSkipMayChangeMeanwhile() {
    try (GroupMember member = GroupMember.join("job", alignment("g", null))) {
      member.report(0, List.of(active("a", 100_000), active("b", 0)));
      member.skipped(0);
      assertThat(member.skipped(99_000)).isEmpty();
      member.rules(alignment("g", Duration.ofSeconds(100)));
      assertThat(member.skipped(99_999)).isEmpty();
      assertThat(member.skipped(100_000)).containsExactly("b");
      member.rules(alignment("g", null));
      assertThat(member.skipped(100_001)).isEmpty();
    }
  }

  @Test
  void aGroupWithoutMembersIsForgotten() {
    int before = GroupMember.groups();
    GroupMember first = GroupMember.join("leak", alignment("g", null));
    GroupMember second = GroupMember.join("leak", alignment("g", null));
    assertThat(GroupMember.groups()).isEqualTo(before + 1);
    first.close();
    assertThat(GroupMember.groups()).isEqualTo(before + 1);
    second.close();
    second.close();
    assertThat(GroupMember.groups()).isEqualTo(before);
  }

  private static AlignmentSettings alignment(String group, @Nullable Duration skipAfter) {
    return new AlignmentSettings(
        group, Duration.ofSeconds(5), Duration.ofSeconds(1), OnExceeded.PauseLeaders, skipAfter);
  }

  @Test
  void theRecommendationIsOfASourceAndAskedForByItsInterval() {
    try (GroupMember live = GroupMember.join("job", alignment("g", null));
        GroupMember backfill = GroupMember.join("job", alignment("g", null))) {
      for (int stretch = 0; stretch <= CatchUp.FEWEST_STRETCHES; stretch++) {
        long now = stretch * 10_000L;
        live.report(0, List.of(read("live-0", 1, now)));
        backfill.report(0, List.of(read("old-0", 60, now)));
        assertThat(backfill.recommendedMaxDrift()).isEqualTo(GroupMember.NO_RECOMMENDATION);
        live.skipped(now);
        backfill.skipped(now);
      }
      assertThat(live.recommendedMaxDrift()).isEqualTo(GroupMember.NO_RECOMMENDATION);
      assertThat(backfill.recommendedMaxDrift()).isEqualTo(180_000);
    }
  }

  /** Reads event time at so many times the speed of the clock. */
  private static SplitObservation read(String id, long speed, long now) {
    return new SplitObservation(
        id, now * speed, now * speed, now, SplitState.ACTIVE, Duration.ofMillis(now).toNanos());
  }

  private static SplitObservation active(String id, long watermark) {
    return new SplitObservation(id, watermark, watermark, 1, SplitState.ACTIVE, 0);
  }
}
