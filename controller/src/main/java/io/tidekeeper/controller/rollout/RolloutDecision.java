package io.tidekeeper.controller.rollout;

import io.tidekeeper.controller.flink.FlinkDeployment;
import io.tidekeeper.controller.rollout.RolloutState.Moving;
import io.tidekeeper.controller.rollout.RolloutState.Preparing;
import io.tidekeeper.controller.rollout.RolloutState.Waiting;
import io.tidekeeper.controller.rollout.RolloutState.WayBack;
import io.tidekeeper.controller.rollout.TargetRecord.Ended;
import io.tidekeeper.controller.rollout.TargetRecord.Outcome;
import java.time.Instant;

/** Decides the next step of a rollout. */
public final class RolloutDecision {

  private RolloutDecision() {}

  /**
   * The one next thing to do. It depends on nothing but its arguments.
   *
   * @param seen what was seen, all at about the same time
   * @param now the time
   */
  public static Action decide(Observation seen, Instant now) {
    FlinkDeployment target = seen.target();
    TargetRecord record = seen.record();
    if (target == null) {
      return withoutTarget(seen, now);
    }
    if (record.uid() != null && !record.uid().equals(target.uid())) {
      Notice replaced =
          new Notice(Reason.TargetReplaced, "The FlinkDeployment was deleted and created again.");
      return new Action.Remember(
          interrupted(record, replaced, now).about(null).to(new Waiting(), replaced, now));
    }
    Look look = new Look(seen, target, updated(seen, target), now);
    RolloutState state = record.state();
    if (state instanceof WayBack wayBack) {
      return new WayBackStep(look, wayBack).decide();
    }
    if (state instanceof Preparing preparing) {
      return new PrepareStep(look, preparing).decide();
    }
    if (state instanceof Moving moving) {
      return new ForwardStep(look, moving).decide();
    }
    return new RestingStep(look).decide();
  }

  private static Action withoutTarget(Observation seen, Instant now) {
    TargetRecord record = seen.record();
    Notice missing =
        new Notice(
            Reason.TargetNotFound,
            "There is no FlinkDeployment %s in the namespace. The policy is applied as soon as it is created."
                .formatted(record.name()));
    TargetRecord next =
        interrupted(record, missing, now).about(null).to(new Waiting(), missing, now);
    return next.equals(record) ? new Action.Wait(Look.REST) : new Action.Remember(next);
  }

  private static TargetRecord interrupted(TargetRecord record, Notice why, Instant now) {
    if (!(record.state() instanceof Moving moving)) {
      return record;
    }
    Flight flight = moving.flight();
    return record.ended(
        new Ended(
            flight.change(),
            Outcome.Interrupted,
            why,
            flight.desiredHash(),
            flight.revision(),
            null,
            flight.startedAt(),
            now));
  }

  /** What is only to be seen in passing. */
  private static TargetRecord updated(Observation seen, FlinkDeployment target) {
    TargetRecord record = seen.record();
    if (record.uid() == null) {
      record = record.about(target.uid());
    }
    record = record.job(target.operator().jobId(), target.operator().savepoint());
    JobReading job = seen.job();
    // While a job starts, sources appear one by one; those known before are the ones to wait for.
    boolean settled = !record.isUnderWay();
    if (settled && job != null && !job.sourceNames().isEmpty()) {
      record = record.speaks(job.sourceNames(), job.policyFormat());
    }
    return record;
  }
}
