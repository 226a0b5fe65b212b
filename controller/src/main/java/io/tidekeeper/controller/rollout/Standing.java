package io.tidekeeper.controller.rollout;

import io.tidekeeper.controller.rollout.Reason.Concern;
import io.tidekeeper.controller.rollout.RolloutState.InSync;
import io.tidekeeper.controller.rollout.RolloutState.Moving;
import io.tidekeeper.controller.rollout.RolloutState.Rejected;
import io.tidekeeper.controller.rollout.RolloutState.Stalled;
import io.tidekeeper.controller.rollout.RolloutState.WayBack;
import java.time.Duration;
import java.time.Instant;

/**
 * What a record means to those who watch the policy.
 *
 * @param ready nothing is for a person to do
 * @param applied the newest settings run
 * @param reconciling something is under way or expected
 * @param stalled nothing goes on without a person
 */
record Standing(boolean ready, boolean applied, boolean reconciling, boolean stalled) {

  /** What is expected to pass by itself and does not, becomes a person's. */
  static final Duration EXPECTATION = Duration.ofMinutes(10);

  static Standing of(TargetRecord record, Instant now) {
    RolloutState state = record.state();
    if (state instanceof InSync) {
      return new Standing(true, true, false, false);
    }
    if (state instanceof Moving moving && moving.flight().heldSince() == null) {
      return new Standing(!(state instanceof WayBack), false, true, false);
    }
    if (state instanceof WayBack) {
      // The job may be on values that failed, and only a person can let it go back.
      return new Standing(false, false, false, true);
    }
    if (state instanceof Rejected || state instanceof Stalled) {
      return new Standing(false, false, false, true);
    }
    Concern concern = record.notice().reason().concern();
    return switch (concern) {
      case PERSON -> new Standing(false, false, false, true);
      case CHOICE -> new Standing(true, false, false, false);
      case PROGRESS, NONE ->
          new Standing(now.isBefore(record.since().plus(EXPECTATION)), false, true, false);
    };
  }
}
