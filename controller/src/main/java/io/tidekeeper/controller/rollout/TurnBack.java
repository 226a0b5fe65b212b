package io.tidekeeper.controller.rollout;

import io.tidekeeper.controller.rollout.RolloutState.RollingBack;
import io.tidekeeper.controller.rollout.RolloutState.Stalled;
import io.tidekeeper.controller.rollout.RolloutState.Withdrawing;
import io.tidekeeper.controller.rollout.TargetRecord.Outcome;
import io.tidekeeper.crds.RolloutSettings;
import java.time.Duration;
import java.time.Instant;

/** The ways a change can turn back. */
final class TurnBack {

  /** The shortest time a withdrawal gets: an operator may look once a minute only. */
  private static final Duration WITHDRAWAL = Duration.ofMinutes(3);

  /** How a change goes back that no job was started with. */
  static final String JOB_RUNS_ON = "without a restart of the job";

  private final Look look;
  private final Flight flight;
  private final RolloutSettings rollout;

  TurnBack(Look look, Flight flight) {
    this.look = look;
    this.flight = flight;
    this.rollout = look.seen.policy().rollout();
  }

  /** The change has failed; {@code submitted} when a job was or may have been started with it. */
  Action fail(Notice cause, boolean submitted) {
    if (!rollout.autoRollback()) {
      return stall(
          new Notice(
              Reason.AutoRollbackOff,
              "%s autoRollback is off, so nothing was taken back: annotate the policy with %s: %s to go back, or change it."
                  .formatted(cause.message(), Annotations.REJECT, flight.change())));
    }
    if (flight.previous() == null) {
      return stall(
          new Notice(
              Reason.PreviousUnknown,
              "%s What the target had before is not known, so nothing was taken back. Change the policy."
                  .formatted(cause.message())));
    }
    if (!submitted) {
      return withdraw(cause);
    }
    return rollBack(cause);
  }

  /** Brings the former settings back under a new number. */
  Action rollBack(Notice cause) {
    long revision = look.nextRevision();
    Instant deadline = look.now.plus(rollout.savepointTimeout()).plus(rollout.healthDeadline());
    return look.remember(
        look.record
            .has(look.record.appliedHash(), revision)
            .to(
                new RollingBack(flight.back(cause, revision, deadline)),
                new Notice(
                    Reason.RollingBack, goingBack(cause, StateSource.expected(look.target)) + "."),
                look.now));
  }

  /** Brings the former options back byte for byte. */
  Action withdraw(Notice cause) {
    OwnKeys previous = flight.previous();
    long revision = previous == null ? 0 : previous.revision();
    Duration time =
        rollout.savepointTimeout().compareTo(WITHDRAWAL) > 0
            ? rollout.savepointTimeout()
            : WITHDRAWAL;
    return look.remember(
        look.record
            .has(look.record.appliedHash(), revision)
            .to(
                new Withdrawing(flight.back(cause, revision, look.now.plus(time))),
                new Notice(Reason.Withdrawing, goingBack(cause, JOB_RUNS_ON) + "."),
                look.now));
  }

  private Action stall(Notice why) {
    return look.remember(
        look.ended(flight, Outcome.Stalled, why)
            .undo(flight.previous())
            .has(look.record.appliedHash(), flight.revision())
            .to(new Stalled(), why, look.now));
  }

  /** Why and how, without the full stop. */
  static String goingBack(Notice cause, String how) {
    return cause.message() + " The change is being taken back " + how;
  }
}
