package io.tidekeeper.controller.rollout;

import io.tidekeeper.controller.flink.JobState;
import io.tidekeeper.controller.rollout.RolloutState.Rejected;
import io.tidekeeper.controller.rollout.RolloutState.Stalled;
import io.tidekeeper.controller.rollout.RolloutState.Waiting;
import io.tidekeeper.controller.rollout.RolloutState.WayBack;
import io.tidekeeper.controller.rollout.RolloutState.Withdrawing;
import io.tidekeeper.controller.rollout.TargetRecord.Outcome;
import io.tidekeeper.controller.rollout.TargetRecord.Rejection;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A change is taken back: the former options are written, and must be seen to hold. */
final class WayBackStep {

  /** The distance of the two readings that must agree. */
  private static final Duration TWO_READINGS = Duration.ofSeconds(5);

  private final Look look;
  private final WayBack state;
  private final Flight flight;
  private final boolean withdrawal;
  private final OwnKeys wanted;
  private final Notice cause;

  WayBackStep(Look look, WayBack state) {
    this.look = look;
    this.state = state;
    this.flight = state.flight();
    this.withdrawal = state instanceof Withdrawing;
    // A way back is never entered without knowing where to and why.
    OwnKeys previous = Objects.requireNonNull(flight.previous());
    this.wanted = withdrawal ? previous : previous.withRevision(flight.revision());
    this.cause = Objects.requireNonNull(flight.cause());
  }

  Action decide() {
    boolean written = look.live.equals(wanted);
    Action held = look.held(state, written ? look.gates.suspended() : look.gates.wayBack(wanted));
    if (held != null) {
      return held;
    }
    String missing = written ? missing() : "the former options are not written";
    if (look.late(flight)) {
      return stall(missing == null ? "it was seen only once" : missing);
    }
    if (!written) {
      return new Action.Apply(look.target.uid(), wanted);
    }
    if (withdrawal && stoppedMeanwhile()) {
      return new TurnBack(look, flight).rollBack(cause);
    }
    Instant since = flight.healthySince();
    if ((missing == null) != (since != null)) {
      Instant first = missing == null ? look.now : null;
      return look.remember(
          look.record.to(state.with(flight.healthy(first, null)), notice(missing), look.now));
    }
    boolean twice = since != null && !look.now.isBefore(since.plus(TWO_READINGS));
    return twice ? finish() : look.stay(state, notice(missing));
  }

  private @Nullable String missing() {
    if (!withdrawal) {
      return look.health.missing(wanted);
    }
    // An operator that never deployed anything has nothing to give back.
    return look.target.operator().reconciled() == null
        ? null
        : look.health.missingInOperator(wanted);
  }

  /** The savepoint went through after all: nothing would ever start the job again. */
  private boolean stoppedMeanwhile() {
    return look.target.operator().jobState() == JobState.FINISHED
        && look.target.observed()
        && look.health.operatorHas(wanted);
  }

  private Action finish() {
    boolean wished = cause.reason() == Reason.SpecReverted;
    TargetRecord record =
        look.ended(flight, withdrawal ? Outcome.Withdrawn : Outcome.RolledBack, cause)
            .has(wanted.hash(), wanted.revision())
            .counting(withdrawal ? look.record.counting() : look.countedFrom(look.baseline()))
            .undo(null);
    if (wished) {
      return look.remember(record.to(new Waiting(), cause, look.now));
    }
    return look.remember(
        record
            .rejected(new Rejection(flight.change(), cause))
            .to(
                new Rejected(),
                new Notice(
                    Reason.ChangeRejected,
                    "Change %s was taken back. %s".formatted(flight.change(), cause.message())),
                look.now));
  }

  private Action stall(String missing) {
    Notice why =
        new Notice(
            withdrawal ? Reason.WithdrawalTimedOut : Reason.RollbackTimedOut,
            "%s Taking the change back did not end in time: %s."
                .formatted(cause.message(), missing));
    return look.remember(
        look.ended(flight, Outcome.Stalled, why)
            .rejected(new Rejection(flight.change(), cause))
            .undo(flight.previous())
            .to(new Stalled(), why, look.now));
  }

  private Notice notice(@Nullable String missing) {
    String back = TurnBack.goingBack(cause, how());
    return new Notice(
        withdrawal ? Reason.Withdrawing : Reason.RollingBack,
        missing == null ? back + "." : back + "; so far " + missing + ".");
  }

  private String how() {
    if (withdrawal) {
      return TurnBack.JOB_RUNS_ON;
    }
    boolean taken = look.live.equals(wanted) && look.health.operatorHas(wanted);
    return taken
        ? StateSource.taken(look.target.operator().savepoint())
        : StateSource.expected(look.target);
  }
}
