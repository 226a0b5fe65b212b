package io.tidekeeper.controller.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.controller.rollout.RolloutState.Waiting;
import io.tidekeeper.crds.RolloutMode;
import io.tidekeeper.crds.RolloutSettings;
import java.time.Duration;

/** What rollouts as stories have in common. */
final class Stories {

  /** Longer than any rollout takes. */
  static final Duration LONG = Duration.ofMinutes(20);

  private Stories() {}

  /** What holds a change that waits. */
  static Reason gate(World world) {
    world.control();
    assertThat(world.record.state()).isInstanceOf(Waiting.class);
    return world.record.notice().reason();
  }

  /** How long the controller waits after it has decided everything there is to decide. */
  static Duration patience(World world) {
    Action action = world.step();
    while (!(action instanceof Action.Wait)) {
      action = world.step();
    }
    return ((Action.Wait) action).atMost();
  }

  /** Goes on until the rollout is in a state. */
  static void passUntil(World world, Class<? extends RolloutState> state) {
    for (int tick = 0; tick < 100 && !state.isInstance(world.record.state()); tick++) {
      world.tick();
      for (int step = 0; step < 5 && !state.isInstance(world.record.state()); step++) {
        world.step();
      }
    }
    assertThat(world.record.state()).isInstanceOf(state);
  }

  /** The same in another mode. */
  static RolloutSettings withMode(RolloutSettings old, RolloutMode mode) {
    return new RolloutSettings(
        mode,
        old.paused(),
        old.cooldown(),
        old.savepointTimeout(),
        old.healthDeadline(),
        old.healthyFor(),
        old.autoRollback(),
        old.lateShareAbove());
  }

  /** The same with another cooldown. */
  static RolloutSettings withCooldown(RolloutSettings old, Duration cooldown) {
    return new RolloutSettings(
        old.mode(),
        old.paused(),
        cooldown,
        old.savepointTimeout(),
        old.healthDeadline(),
        old.healthyFor(),
        old.autoRollback(),
        old.lateShareAbove());
  }

  /** The same without automatic rollback. */
  static RolloutSettings withoutRollback(RolloutSettings old) {
    return new RolloutSettings(
        old.mode(),
        old.paused(),
        old.cooldown(),
        old.savepointTimeout(),
        old.healthDeadline(),
        old.healthyFor(),
        false,
        old.lateShareAbove());
  }

  /** The same without a limit of the late share. */
  static RolloutSettings withoutLimit(RolloutSettings old) {
    return new RolloutSettings(
        old.mode(),
        old.paused(),
        old.cooldown(),
        old.savepointTimeout(),
        old.healthDeadline(),
        old.healthyFor(),
        old.autoRollback(),
        null);
  }
}
