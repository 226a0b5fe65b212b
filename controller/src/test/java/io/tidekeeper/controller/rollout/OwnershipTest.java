package io.tidekeeper.controller.rollout;

import static io.tidekeeper.controller.rollout.Stories.LONG;
import static io.tidekeeper.controller.rollout.Stories.passUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.controller.rollout.RolloutState.InSync;
import io.tidekeeper.controller.rollout.RolloutState.Rejected;
import io.tidekeeper.controller.rollout.RolloutState.Saving;
import io.tidekeeper.controller.rollout.RolloutState.Waiting;
import io.tidekeeper.controller.rollout.World.Fault;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Others come in between: who owns the options, and a policy or a target that goes. */
class OwnershipTest {

  private static final String BOUND = "tidekeeper.default.watermark.bounded.max-out-of-orderness";

  @Test
  void an_option_taken_while_a_change_is_under_way_is_named_with_its_owner() {
    World world = World.inSync(5);
    world.settings = World.seconds(30);
    passUntil(world, RolloutState.Verifying.class);
    world.taken("kustomize-controller", BOUND, "99s");
    world.control();
    assertThat(world.record.history().get(0).why())
        .satisfies(
            why -> {
              assertThat(why.reason()).isEqualTo(Reason.KeysTaken);
              assertThat(why.message()).contains("kustomize-controller");
            });
    assertThat(world.record.state()).isInstanceOf(Waiting.class);
    assertThat(world.record.notice().reason()).isEqualTo(Reason.FieldConflict);
    world.givenUp("kustomize-controller");
    world.pass(LONG);
    assertThat(world.record.state()).as("repaired when nobody owns it").isInstanceOf(InSync.class);
    assertThat(world.live().isComplete()).isTrue();
  }

  @Test
  void the_same_values_of_another_owner_are_owned_together_without_a_restart() {
    World world = World.inSync(5);
    int jobs = world.jobs;
    long generation = world.generation;
    world.live().options().forEach((key, value) -> world.taken("platform", key, value));
    world.pass(Duration.ofMinutes(1));
    assertThat(world.writes).containsExactly(world.live());
    assertThat(world.generation).isEqualTo(generation);
    world.givenUp("platform");
    world.pass(LONG);
    assertThat(world.live().hash()).isEqualTo(World.seconds(5).hash());
    assertThat(world.jobs).isEqualTo(jobs);
    assertThat(world.record.state()).isInstanceOf(InSync.class);
  }

  @Test
  void a_policy_that_goes_ends_what_is_under_way_and_begins_nothing() {
    World good = World.inSync(5);
    good.settings = World.seconds(30);
    passUntil(good, Saving.class);
    good.leaving = true;
    good.settings = World.seconds(31);
    good.pass(LONG);
    assertThat(good.states).endsWith("Verifying", "InSync");
    assertThat(good.runsOn()).isEqualTo(World.seconds(30).hash());
    good.reject = good.record.history().get(0).change();
    good.pass(LONG);
    assertThat(good.writes).hasSize(1);

    World bad = World.inSync(5);
    bad.fault(99, Fault.MAIN_THROWS);
    bad.settings = World.seconds(99);
    passUntil(bad, Saving.class);
    bad.leaving = true;
    bad.pass(LONG);
    assertThat(bad.record.state()).isInstanceOf(Rejected.class);
    assertThat(bad.runsOn()).isEqualTo(World.seconds(5).hash());
  }

  @Test
  void a_policy_that_goes_before_the_operator_has_looked_has_nothing_to_wait_for() {
    World world = new World();
    world.operatorDown = true;
    world.pass(Duration.ofMinutes(1));
    assertThat(world.record.state()).isInstanceOf(Saving.class);
    OwnKeys written = world.live();
    world.leaving = true;
    world.control();
    assertThat(world.record.isUnderWay()).isFalse();
    assertThat(world.live()).isEqualTo(written);
  }

  @Test
  void a_target_created_anew_is_a_new_target() {
    World world = World.inSync(5);
    world.settings = World.seconds(30);
    passUntil(world, Saving.class);
    world.delete();
    world.create();
    world.pass(LONG);
    assertThat(world.record.uid()).isEqualTo(world.uid);
    assertThat(world.record.state()).isInstanceOf(InSync.class);
    assertThat(world.runsOn()).isEqualTo(World.seconds(30).hash());
    assertThat(world.record.history())
        .extracting(TargetRecord.Ended::outcome)
        .contains(TargetRecord.Outcome.Interrupted);
  }
}
