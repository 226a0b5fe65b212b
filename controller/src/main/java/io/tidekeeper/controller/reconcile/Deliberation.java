package io.tidekeeper.controller.reconcile;

import io.tidekeeper.controller.rollout.Action;
import io.tidekeeper.controller.rollout.Action.Apply;
import io.tidekeeper.controller.rollout.Action.Remember;
import io.tidekeeper.controller.rollout.Action.Wait;
import io.tidekeeper.controller.rollout.Notice;
import io.tidekeeper.controller.rollout.Observation;
import io.tidekeeper.controller.rollout.RolloutDecision;
import io.tidekeeper.controller.rollout.TargetRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was decided for one target from one look: what to remember, then perhaps what to apply.
 *
 * @param record the record, as it must stand in the status before anything is applied
 * @param news what to tell people
 * @param apply what to apply, or null
 * @param again when to look again at the latest
 */
record Deliberation(TargetRecord record, List<Notice> news, @Nullable Apply apply, Duration again) {

  /** More steps from one look than any rollout has; what is left comes with the next look. */
  private static final int MOST_STEPS = 8;

  /** When to look again after something was done. */
  static final Duration SOON = Duration.ofSeconds(1);

  static Deliberation over(Observation first, Instant now) {
    List<Notice> news = new ArrayList<>();
    Observation seen = first;
    for (int step = 0; step < MOST_STEPS; step++) {
      Action action = RolloutDecision.decide(seen, now);
      if (action instanceof Wait waiting) {
        return new Deliberation(seen.record(), news, null, waiting.atMost());
      }
      if (action instanceof Apply apply) {
        return new Deliberation(seen.record(), news, apply, SOON);
      }
      TargetRecord next = ((Remember) action).next();
      if (isNews(seen.record(), next)) {
        news.add(next.notice());
      }
      seen = seen.with(next);
    }
    return new Deliberation(seen.record(), news, null, SOON);
  }

  private static boolean isNews(TargetRecord before, TargetRecord after) {
    return before.notice().reason() != after.notice().reason()
        || before.state().getClass() != after.state().getClass();
  }
}
