package io.tidekeeper.controller.rollout;

import io.tidekeeper.controller.rollout.RolloutState.Preparing;
import io.tidekeeper.controller.rollout.RolloutState.Saving;
import io.tidekeeper.controller.rollout.RolloutState.Waiting;
import io.tidekeeper.crds.RolloutSettings;
import io.tidekeeper.policy.PolicySettings;

/** A change is decided and recorded: write it, unless something came between. */
final class PrepareStep {

  private final Look look;
  private final Flight flight;
  private final RolloutSettings rollout;

  PrepareStep(Look look, Preparing state) {
    this.look = look;
    this.flight = state.flight();
    this.rollout = look.seen.policy().rollout();
  }

  Action decide() {
    if (look.live.revision() == flight.revision()) {
      Flight written =
          flight.next(look.now.plus(rollout.savepointTimeout())).written(look.target.generation());
      return look.remember(look.record.to(new Saving(written), ForwardStep.begun(look), look.now));
    }
    PolicySettings settings = look.seen.policy().settings();
    if (settings == null
        || look.seen.holder() != null
        || !settings.hash().equals(flight.desiredHash())
        || !ChangeId.of(look.live.hash(), flight.desiredHash()).equals(flight.change())) {
      return nothingWritten(
          new Notice(Reason.Pending, "Things changed before the change was written."));
    }
    OwnKeys wanted = OwnKeys.of(settings, flight.revision());
    Notice gate = look.gates.write(wanted);
    if (gate != null) {
      return nothingWritten(gate);
    }
    if (look.late(flight)) {
      return nothingWritten(
          new Notice(Reason.Pending, "The change could not be written in time; it starts anew."));
    }
    return new Action.Apply(look.target.uid(), wanted);
  }

  private Action nothingWritten(Notice why) {
    return look.remember(look.record.to(new Waiting(), why, look.now));
  }
}
