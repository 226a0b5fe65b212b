package io.tidekeeper.job.align;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.job.align.SkipDecision.Source;
import io.tidekeeper.job.align.SkipDecision.Split;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SkipDecisionTest {

  private static final long MAX_DRIFT = 5_000;
  private static final long SKIP_AFTER = 30_000;
  private static final long BACK_AFTER = 10_000;
  private static final SkipRules RULES = new SkipRules(MAX_DRIFT, SKIP_AFTER, BACK_AFTER);
  private static final SkipRules NEVER = new SkipRules(MAX_DRIFT, Long.MAX_VALUE, Long.MAX_VALUE);

  private static final List<SplitState> STATES =
      List.of(SplitState.ACTIVE, SplitState.IDLE, SplitState.PAUSED, SplitState.FINISHED);

  private SkipDecision decision = SkipDecision.NONE;

  @Test
  void aLaggardIsSkippedOnceItHasBeenTooFarBehindForLongEnough() {
    decide(0, active("a", 100_000), active("b", 94_999));
    decide(29_999, active("a", 130_000), active("b", 95_000));
    assertThat(skipped()).isEmpty();
    decide(30_000, active("a", 130_000), active("b", 95_000));
    assertThat(skipped()).containsExactly("b");
  }

  @Test
  void whoIsExactlyAtTheLimitIsNotBehind() {
    decide(0, active("a", 100_000), active("b", 95_000));
    decide(60_000, active("a", 100_000), active("b", 95_000));
    assertThat(skipped()).isEmpty();
  }

  @Test
  void whoCatchesUpOnTheWayStartsAnew() {
    decide(0, active("a", 100_000), active("b", 0));
    decide(20_000, active("a", 100_000), active("b", 99_000));
    decide(21_000, active("a", 110_000), active("b", 99_000));
    decide(50_999, active("a", 110_000), active("b", 99_000));
    assertThat(skipped()).isEmpty();
    decide(51_000, active("a", 110_000), active("b", 99_000));
    assertThat(skipped()).containsExactly("b");
  }

  @Test
  void aSkippedSplitComesBackOnceItHasBeenNearForLongEnough() {
    skipB();
    decide(40_000, active("a", 140_000), skipped("b", 135_000));
    decide(45_000, active("a", 150_000), skipped("b", 140_000));
    assertThat(skipped()).as("it fell behind again").containsExactly("b");
    decide(50_000, active("a", 150_000), skipped("b", 150_000));
    decide(59_999, active("a", 151_000), skipped("b", 150_000));
    assertThat(skipped()).containsExactly("b");
    decide(60_000, active("a", 151_000), skipped("b", 150_000));
    assertThat(skipped()).isEmpty();
    // Its reader has not heard yet, and a new lag takes its full time again.
    decide(60_100, active("a", 161_000), skipped("b", 150_000));
    decide(90_099, active("a", 161_000), active("b", 150_000));
    assertThat(skipped()).isEmpty();
    decide(90_100, active("a", 161_000), active("b", 150_000));
    assertThat(skipped()).containsExactly("b");
  }

  @Test
  void aSplitThatHasSaidNothingYetIsBehindButNotWhileNobodyElseHasEither() {
    decide(0, active("a", Long.MIN_VALUE), active("b", Long.MIN_VALUE));
    decide(60_000, active("a", Long.MIN_VALUE), active("b", Long.MIN_VALUE));
    assertThat(skipped()).isEmpty();
    decide(61_000, active("a", 0), active("b", Long.MIN_VALUE));
    decide(91_000, active("a", 0), active("b", Long.MIN_VALUE));
    assertThat(skipped()).containsExactly("b");
  }

  @Test
  void whoIsPausedIdleOrFinishedIsNoLaggard() {
    for (SplitState state : List.of(SplitState.PAUSED, SplitState.IDLE, SplitState.FINISHED)) {
      decision = SkipDecision.NONE;
      decide(0, active("a", 100_000), split("b", 0, state));
      decide(60_000, active("a", 100_000), split("b", 0, state));
      assertThat(skipped()).as(state.name()).isEmpty();
    }
  }

  @Test
  void anIdleLeaderMakesNobodyALaggard() {
    decide(0, split("a", 100_000, SplitState.IDLE), active("b", 0), active("c", 1_000));
    decide(60_000, split("a", 100_000, SplitState.IDLE), active("b", 0), active("c", 1_000));
    assertThat(skipped()).isEmpty();
  }

  @Test
  void aPausedLeaderIsWhatOthersAreMeasuredBy() {
    decide(0, split("a", 100_000, SplitState.PAUSED), active("b", 0));
    decide(30_000, split("a", 100_000, SplitState.PAUSED), active("b", 0));
    assertThat(skipped()).containsExactly("b");
  }

  @Test
  void theLastSplitOfASourceThatCountsIsNeverSkipped() {
    Source lagging = new Source(RULES, List.of(active("b", 2_000), active("c", 1_000)));
    Source leading = new Source(RULES, List.of(active("a", 100_000)));
    Map<Integer, Source> group = Map.of(1, leading, 2, lagging);
    decision = decision.decide(group, 0).decide(group, 60_000).decide(group, 120_000);
    assertThat(decision.skipped()).containsOnlyKeys(new Split(2, "c"));
  }

  @Test
  void whenWhatCountedFallsSilentTheFurthestOfTheSkippedCountsAgain() {
    decide(0, active("a", 100_000), active("b", 1_000), active("c", 2_000));
    decide(30_000, active("a", 100_000), active("b", 1_000), active("c", 2_000));
    assertThat(skipped()).containsExactlyInAnyOrder("b", "c");
    decide(31_000, split("a", 100_000, SplitState.IDLE), skipped("b", 1_000), skipped("c", 2_000));
    assertThat(skipped()).containsExactly("b");
  }

  @Test
  void withoutATimeNobodyIsSkippedAndWhoWasComesBack() {
    skipB();
    decision =
        decision.decide(
            Map.of(1, new Source(NEVER, List.of(active("a", 200_000), skipped("b", 0)))), 40_000);
    assertThat(decision.skipped()).isEmpty();
    decision =
        decision.decide(
            Map.of(1, new Source(NEVER, List.of(active("a", 200_000), active("b", 0)))), 9_000_000);
    assertThat(decision.skipped()).isEmpty();
  }

  @Test
  void whoIsUnknownForAMomentStartsAnew() {
    skipB();
    decision = decision.without(1, List.of(active("a", 200_000)));
    assertThat(skipped()).isEmpty();
    decide(40_000, active("a", 200_000), active("b", 0));
    decide(69_999, active("a", 200_000), active("b", 0));
    assertThat(skipped()).isEmpty();
  }

  /** Whatever happens, a source that has a split to count has one that counts. */
  @Test
  void randomGroupsAlwaysKeepOneSplitThatCounts() {
    Random random = new Random(11);
    for (int world = 0; world < 300; world++) {
      SkipDecision standing = SkipDecision.NONE;
      long now = 0;
      for (int step = 0; step < 60; step++) {
        now += random.nextInt(20_000);
        Map<Integer, Source> group = new HashMap<>();
        for (int member = 0; member < 1 + world % 3; member++) {
          group.put(member, randomSource(random, standing, member));
        }
        standing = standing.decide(group, now);
        Set<Split> left = standing.skipped().keySet();
        group.forEach(
            (member, source) -> {
              List<SplitObservation> speaking =
                  source.splits().stream().filter(SplitObservation::speaks).toList();
              assertThat(
                      speaking.isEmpty()
                          || speaking.stream()
                              .anyMatch(
                                  split -> !left.contains(new Split(member, split.splitId()))))
                  .as("%s of %s", left, source)
                  .isTrue();
            });
      }
    }
  }

  private static Source randomSource(Random random, SkipDecision standing, int member) {
    List<SplitObservation> splits = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      String id = "s" + i;
      SplitState state = STATES.get(random.nextInt(STATES.size()));
      if (state == SplitState.ACTIVE && standing.skipped().containsKey(new Split(member, id))) {
        state = SplitState.SKIPPED;
      }
      splits.add(split(id, random.nextInt(20) * 1_000L, state));
    }
    return new Source(RULES, splits);
  }

  private void skipB() {
    decide(0, active("a", 100_000), active("b", 0));
    decide(30_000, active("a", 130_000), active("b", 0));
    assertThat(skipped()).containsExactly("b");
  }

  private void decide(long now, SplitObservation... splits) {
    decision = decision.decide(Map.of(1, new Source(RULES, List.of(splits))), now);
  }

  private List<String> skipped() {
    return decision.skipped().keySet().stream().map(Split::splitId).toList();
  }

  private static SplitObservation active(String id, long watermark) {
    return split(id, watermark, SplitState.ACTIVE);
  }

  private static SplitObservation skipped(String id, long watermark) {
    return split(id, watermark, SplitState.SKIPPED);
  }

  private static SplitObservation split(String id, long watermark, SplitState state) {
    return new SplitObservation(id, watermark, watermark, 1, state, 0);
  }
}
