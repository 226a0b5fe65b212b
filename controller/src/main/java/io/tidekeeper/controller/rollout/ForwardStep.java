package io.tidekeeper.controller.rollout;

import io.tidekeeper.controller.flink.OperatorError;
import io.tidekeeper.controller.rollout.RolloutState.Moving;
import io.tidekeeper.controller.rollout.RolloutState.Saving;
import io.tidekeeper.controller.rollout.RolloutState.Upgrading;
import io.tidekeeper.controller.rollout.RolloutState.Verifying;
import io.tidekeeper.controller.rollout.RolloutState.Waiting;
import io.tidekeeper.controller.rollout.TargetRecord.Outcome;
import io.tidekeeper.crds.RolloutSettings;
import io.tidekeeper.policy.PolicySettings;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A written change goes forward: saved, started, proven; or it turns back. */
final class ForwardStep {

  /**
   * Trouble that passes by itself is gone by then. An operator looks at a starting job once a
   * minute, so what it saw too early, such as "Job Not Found", stays in the status for as long.
   */
  private static final Duration TROUBLE_PATIENCE = Duration.ofSeconds(90);

  private final Look look;
  private final Moving state;
  private final Flight flight;
  private final RolloutSettings rollout;
  private final TurnBack back;

  ForwardStep(Look look, Moving state) {
    this.look = look;
    this.state = state;
    this.flight = state.flight();
    this.rollout = look.seen.policy().rollout();
    this.back = new TurnBack(look, flight);
  }

  Action decide() {
    Notice over = taken();
    if (over == null
        && look.seen.policy().leaving()
        && look.target.operator().reconciled() == null) {
      // Nothing was started with the change, so nothing can fail: there is no verdict to wait for.
      over = Gates.leaving();
    }
    if (over != null) {
      return look.remember(ended(Outcome.Interrupted, over).to(new Waiting(), over, look.now));
    }
    Action held = look.held(state, hold());
    if (held != null) {
      return held;
    }
    if (state instanceof Saving) {
      return save();
    }
    return state instanceof Upgrading ? upgrade() : verify();
  }

  private @Nullable Notice hold() {
    Notice suspended = look.gates.suspended();
    boolean undeployed = state instanceof Saving && look.target.operator().reconciled() == null;
    return suspended == null && undeployed ? operatorPending(look) : suspended;
  }

  private Action save() {
    if (look.health.operatorHas(look.live)) {
      Flight next = flight.next(look.now.plus(rollout.healthDeadline()));
      return look.remember(look.record.to(new Upgrading(next), upgrading(null), look.now));
    }
    PolicySettings settings = look.seen.policy().settings();
    OwnKeys previous = flight.previous();
    if (settings != null && previous != null && settings.hash().equals(previous.hash())) {
      return back.withdraw(
          new Notice(
              Reason.SpecReverted, "The policy was set back before the change took effect."));
    }
    OperatorError error = look.target.operator().error();
    if (look.late(flight)) {
      Notice timedOut =
          new Notice(
              Reason.SavepointTimedOut,
              "The job was not stopped with a savepoint in time%s"
                  .formatted(look.health.because()));
      return back.fail(timedOut, false);
    }
    return look.stay(state, error == null ? noError() : savepointFailing(error));
  }

  /** An operator takes its error back for a moment before it tries again: that is no news. */
  private Notice noError() {
    Notice last = look.record.notice();
    return last.reason() == Reason.SavepointFailing ? last : savepointPending();
  }

  private static Notice savepointFailing(OperatorError error) {
    return new Notice(
        Reason.SavepointFailing,
        "The Flink operator could not stop the job with a savepoint and tries again: %s: %s"
            .formatted(error.type(), error.message()));
  }

  private Action upgrade() {
    Action trouble = trouble();
    if (trouble != null) {
      return trouble;
    }
    String missing = look.health.missing(look.live);
    if (missing == null) {
      Duration interval = checkpointInterval();
      Instant deadline =
          look.now
              .plus(rollout.healthyFor())
              .plus(rollout.healthDeadline())
              .plus(interval.multipliedBy(2));
      Flight next = flight.next(deadline).healthy(look.now, look.baseline());
      return look.remember(look.record.to(new Verifying(next), verifying(null), look.now));
    }
    return look.late(flight)
        ? back.fail(notHealthy(missing), true)
        : look.stay(state, upgrading(missing));
  }

  private Action verify() {
    Action trouble = trouble();
    if (trouble != null) {
      return trouble;
    }
    Verdict verdict = new Verdict(look, flight, rollout);
    Notice bad = verdict.failure();
    if (bad != null) {
      return back.fail(bad, true);
    }
    String missing = look.health.missing(look.live);
    boolean unheard = look.seen.job() == null;
    if (missing != null && !unheard && flight.healthySince() != null) {
      // The clock starts anew; a reading that failed says nothing about the job.
      return look.remember(
          look.record.to(state.with(flight.healthy(null, null)), verifying(missing), look.now));
    }
    if (missing == null && (flight.healthySince() == null || verdict.isFirstWatermark())) {
      // Before the first watermark no record could be late: what was counted until then would
      // flatter the settings.
      return look.remember(
          look.record.to(
              state.with(flight.healthy(look.now, look.baseline())), verifying(null), look.now));
    }
    String open = missing != null ? missing : verdict.open();
    if (open == null) {
      return succeed();
    }
    return look.late(flight)
        ? back.fail(notHealthy(open), true)
        : look.stay(state, verifying(open));
  }

  private Action succeed() {
    Notice applied =
        new Notice(Reason.Applied, "The job runs on revision %d.".formatted(look.live.revision()));
    return look.remember(
        ended(Outcome.Succeeded, applied)
            .undo(flight.previous())
            .has(flight.desiredHash(), flight.revision())
            .counting(look.countedFrom(flight.baseline()))
            .to(new RolloutState.InSync(), applied, look.now));
  }

  /** Failures the operator shows; null when there is none and nothing new to remember. */
  private @Nullable Action trouble() {
    Notice failure = look.health.failure();
    if (failure != null) {
      return back.fail(failure, true);
    }
    Instant since = flight.troubleSince();
    if (look.health.inTrouble() != (since != null)) {
      return look.remember(
          look.record.to(
              state.with(flight.trouble(since == null ? look.now : null)),
              look.record.notice(),
              look.now));
    }
    if (since != null && !look.now.isBefore(since.plus(TROUBLE_PATIENCE))) {
      return back.fail(look.health.lastingTrouble(), true);
    }
    return null;
  }

  private TargetRecord ended(Outcome outcome, Notice why) {
    return look.ended(flight, outcome, why);
  }

  /** Somebody else changed our options; the change is no longer ours to prove. */
  private @Nullable Notice taken() {
    boolean ours =
        look.live.revision() == flight.revision() && flight.desiredHash().equals(look.live.hash());
    if (ours) {
      return null;
    }
    Notice conflict = FieldOwners.conflict(look.target, OwnKeys.NONE);
    return new Notice(
        Reason.KeysTaken,
        "The options of change %s were changed on the target while it was under way. %s"
            .formatted(
                flight.change(), conflict == null ? "Nobody owns them now." : conflict.message()));
  }

  private Duration checkpointInterval() {
    JobReading job = look.seen.job();
    return job == null || job.checkpointInterval() == null
        ? Duration.ZERO
        : job.checkpointInterval();
  }

  /** What comes first after the write. */
  static Notice begun(Look look) {
    return look.target.operator().reconciled() == null ? operatorPending(look) : savepointPending();
  }

  private static Notice operatorPending(Look look) {
    return new Notice(
        Reason.OperatorPending,
        "The Flink operator has not deployed the FlinkDeployment yet%s With its first deployment the job starts on the policy."
            .formatted(look.health.because()));
  }

  private static Notice savepointPending() {
    return new Notice(
        Reason.SavepointPending, "The Flink operator is to stop the job with a savepoint.");
  }

  private static Notice upgrading(@Nullable String missing) {
    return new Notice(
        Reason.Upgrading,
        missing == null
            ? "The Flink operator starts the job on the new settings."
            : "The job starts on the new settings; so far " + missing + ".");
  }

  private static Notice verifying(@Nullable String open) {
    return new Notice(
        Reason.Verifying,
        open == null
            ? "The job runs on the new settings and is watched."
            : "The job is watched; so far " + open + ".");
  }

  private static Notice notHealthy(String missing) {
    return new Notice(Reason.HealthTimedOut, "The job was not healthy in time: " + missing + ".");
  }
}
