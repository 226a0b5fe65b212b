package io.tidekeeper.controller.rollout;

import static io.tidekeeper.controller.rollout.Stories.LONG;
import static io.tidekeeper.controller.rollout.Stories.passUntil;
import static io.tidekeeper.controller.rollout.Stories.withoutRollback;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.controller.rollout.RolloutState.InSync;
import io.tidekeeper.controller.rollout.RolloutState.Rejected;
import io.tidekeeper.controller.rollout.RolloutState.Stalled;
import io.tidekeeper.controller.rollout.World.Fault;
import io.tidekeeper.policy.PolicyOptions;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Nothing is under way: in sync, rejected or stalled, and what a person asks for then. */
class RestingStepTest {

  @Test
  void nothing_is_written_when_nothing_changes() {
    World world = World.inSync(5);
    TargetRecord record = world.record;
    world.pass(Duration.ofHours(2));
    assertThat(world.record).isSameAs(record);
    assertThat(world.writes).isEmpty();
  }

  @Test
  void a_retry_is_granted_once() {
    World world = World.inSync(5);
    world.fault(99, Fault.MAIN_THROWS);
    world.settings = World.seconds(99);
    world.pass(LONG);
    String change = Objects.requireNonNull(world.record.change());
    world.retry = change;
    world.pass(LONG);
    assertThat(world.writes).hasSize(4);
    world.pass(LONG);
    assertThat(world.writes).as("the annotation is still there").hasSize(4);
    world.retry = change + "/2";
    world.pass(LONG);
    assertThat(world.writes).hasSize(6);
    world.settings = World.seconds(7);
    world.pass(LONG);
    assertThat(world.runsOn()).isEqualTo(World.seconds(7).hash());
  }

  @Test
  void a_request_to_take_back_is_granted_once() {
    World world = World.inSync(5);
    world.settings = World.seconds(30);
    world.pass(LONG);
    String change = Objects.requireNonNull(world.record.change());
    world.reject = change;
    world.pass(LONG);
    assertThat(world.record.state()).isInstanceOf(Rejected.class);
    world.retry = change;
    world.pass(LONG);
    assertThat(world.record.state())
        .as("the same change again, and the annotation is still there")
        .isInstanceOf(InSync.class);
    assertThat(world.runsOn()).isEqualTo(World.seconds(30).hash());
    world.reject = change + "/2";
    world.pass(LONG);
    assertThat(world.record.state()).isInstanceOf(Rejected.class);
    assertThat(world.runsOn()).isEqualTo(World.seconds(5).hash());
  }

  @Test
  void a_change_that_went_through_is_taken_back_by_hand() {
    World world = World.inSync(5);
    world.settings = World.seconds(30);
    world.pass(LONG);
    world.reject = world.record.change();
    world.pass(LONG);
    assertThat(world.states).endsWith("InSync", "RollingBack", "Rejected");
    assertThat(world.runsOn()).isEqualTo(World.seconds(5).hash());
    world.pass(LONG);
    assertThat(world.record.state())
        .as("the annotation is still there")
        .isInstanceOf(Rejected.class);
  }

  @Test
  void without_automatic_rollback_a_person_decides() {
    World world = World.inSync(5);
    world.rollout = withoutRollback(world.rollout);
    world.fault(99, Fault.MAIN_THROWS);
    world.settings = World.seconds(99);
    world.pass(LONG);
    assertThat(world.record.state()).isInstanceOf(Stalled.class);
    assertThat(world.record.notice().reason()).isEqualTo(Reason.AutoRollbackOff);
    assertThat(world.writes).hasSize(1);

    world.reject = world.record.change();
    world.pass(LONG);
    assertThat(world.record.state()).isInstanceOf(Rejected.class);
    assertThat(world.runsOn()).isEqualTo(World.seconds(5).hash());
  }

  @Test
  void a_number_that_was_taken_away_after_a_rejection_comes_back_with_the_former_settings() {
    World world = World.inSync(5);
    world.fault(99, Fault.MAIN_THROWS);
    world.settings = World.seconds(99);
    world.pass(LONG);
    assertThat(world.record.state()).isInstanceOf(Rejected.class);
    long before = world.live().revision();

    world.taken("kubectl-edit", PolicyOptions.REVISION, "7");
    world.givenUp("kubectl-edit");
    assertThat(world.live().isComplete()).isFalse();
    world.pass(LONG);

    assertThat(world.record.state()).isInstanceOf(Rejected.class);
    assertThat(world.live().hash()).isEqualTo(World.seconds(5).hash());
    assertThat(world.live().revision()).isGreaterThan(before);
  }

  @Test
  void a_lost_status_is_found_again_on_the_target() {
    World world = World.inSync(5);
    world.record = TargetRecord.fresh("job", world.now);
    world.control();
    assertThat(world.record.state()).isInstanceOf(InSync.class);
    assertThat(world.writes).isEmpty();
  }

  @Test
  void a_status_lost_under_way_never_goes_back_to_what_it_does_not_know() {
    World world = World.inSync(5);
    world.fault(99, Fault.MAIN_THROWS);
    world.settings = World.seconds(99);
    passUntil(world, RolloutState.Upgrading.class);
    world.record = TargetRecord.fresh("job", world.now);
    world.pass(LONG);
    assertThat(world.record.state()).isInstanceOf(Stalled.class);
    assertThat(world.record.notice().reason()).isEqualTo(Reason.PreviousUnknown);
    assertThat(world.writes).hasSize(1);

    world.settings = World.seconds(7);
    world.pass(LONG);
    assertThat(world.record.state()).as("a person changed the policy").isInstanceOf(InSync.class);
    assertThat(world.runsOn()).isEqualTo(World.seconds(7).hash());
  }
}
