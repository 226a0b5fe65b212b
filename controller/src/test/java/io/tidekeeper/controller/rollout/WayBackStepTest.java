package io.tidekeeper.controller.rollout;

import static io.tidekeeper.controller.rollout.Stories.LONG;
import static io.tidekeeper.controller.rollout.Stories.passUntil;
import static io.tidekeeper.controller.rollout.Stories.withCooldown;
import static io.tidekeeper.controller.rollout.Stories.withMode;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.controller.flink.JobState;
import io.tidekeeper.controller.flink.UpgradeMode;
import io.tidekeeper.controller.rollout.RolloutState.InSync;
import io.tidekeeper.controller.rollout.RolloutState.Rejected;
import io.tidekeeper.controller.rollout.RolloutState.RollingBack;
import io.tidekeeper.controller.rollout.RolloutState.Withdrawing;
import io.tidekeeper.controller.rollout.World.Fault;
import io.tidekeeper.crds.RolloutMode;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A change that is withdrawn or rolled back. */
class WayBackStepTest {

  @Test
  void a_value_that_fails_main_is_rolled_back_and_not_tried_again() {
    World world = World.inSync(5);
    OwnKeys before = world.live();
    world.fault(99, Fault.MAIN_THROWS);
    world.settings = World.seconds(99);
    world.pass(LONG);
    assertThat(world.states)
        .containsExactly("Preparing", "Saving", "Upgrading", "RollingBack", "Rejected");
    assertThat(world.live()).isEqualTo(before.withRevision(world.live().revision()));
    assertThat(world.live().revision()).isGreaterThan(world.writes.get(0).revision());
    assertThat(world.runsOn()).isEqualTo(World.seconds(5).hash());
    assertThat(world.record.notice().message())
        .contains(": main said no. Change the policy")
        .contains(Annotations.RETRY + ": " + world.record.change());
    assertThat(world.writes).hasSize(2);

    world.faults.clear();
    world.retry = world.record.change();
    world.pass(LONG);
    assertThat(world.record.state()).isInstanceOf(InSync.class);
    assertThat(world.runsOn()).isEqualTo(World.seconds(99).hash());
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"MAIN_THROWS", "JOB_MANAGER_ERROR", "RESTARTS", "NEVER_RUNS", "LATE"})
  void every_failure_after_a_submission_is_rolled_back(Fault fault) {
    World world = World.inSync(5);
    world.fault(99, fault);
    world.settings = World.seconds(99);
    world.pass(Duration.ofMinutes(30));
    assertThat(world.states).contains("RollingBack").endsWith("Rejected");
    assertThat(world.runsOn()).isEqualTo(World.seconds(5).hash());
  }

  @Test
  void a_bound_too_tight_is_rolled_back_with_the_numbers_that_decided() {
    World world = World.inSync(5);
    world.fault(1, Fault.LATE);
    world.settings = World.seconds(1);
    world.pass(LONG);
    assertThat(world.record.state()).isInstanceOf(Rejected.class);
    assertThat(Objects.requireNonNull(world.record.rejected()).cause())
        .satisfies(
            cause -> {
              assertThat(cause.reason()).isEqualTo(Reason.LateShareExceeded);
              assertThat(cause.message())
                  .matches(
                      "The late share is 10\\.00% \\(100 of 1000\\) in the 5s since the job was"
                          + " first healthy on the new settings, above the limit of 1% and above"
                          + " 0\\.10% \\(\\d+ of \\d+\\) before\\.");
            });
    assertThat(world.runsOn()).isEqualTo(World.seconds(5).hash());
  }

  @Test
  void a_job_that_never_runs_is_taken_back_with_the_state_it_was_left_in() {
    World world = World.inSync(5);
    world.fault(99, Fault.NEVER_RUNS);
    world.settings = World.seconds(99);
    world.pass(LONG);
    assertThat(Objects.requireNonNull(world.record.rejected()).cause().message())
        .isEqualTo(
            "The job was not healthy in time: the deployment is DEPLOYED, its JobManager READY and"
                + " its job CREATED.");
  }

  @Test
  void a_first_policy_that_fails_leaves_no_option_behind() {
    World world = World.running();
    world.fault(5, Fault.MAIN_THROWS);
    world.pass(LONG);
    assertThat(world.record.state()).isInstanceOf(Rejected.class);
    assertThat(world.live()).isEqualTo(OwnKeys.NONE);
    assertThat(world.jobState).isEqualTo(JobState.RUNNING);
  }

  @Test
  void a_savepoint_that_fails_is_withdrawn_byte_for_byte_without_a_restart() {
    World world = World.inSync(5);
    OwnKeys before = world.live();
    int jobs = world.jobs;
    world.fault(99, Fault.SAVEPOINT_FAILS);
    world.settings = World.seconds(99);
    world.pass(Duration.ofMinutes(1));
    assertThat(world.record.notice().reason()).isEqualTo(Reason.SavepointFailing);
    assertThat(world.record.notice().message()).contains("Savepoint Error");
    world.pass(LONG);
    assertThat(world.states).containsExactly("Preparing", "Saving", "Withdrawing", "Rejected");
    assertThat(world.live()).as("revision included").isEqualTo(before);
    assertThat(world.jobs).isEqualTo(jobs);
    assertThat(world.record.history().get(0).outcome()).isEqualTo(TargetRecord.Outcome.Withdrawn);
  }

  @Test
  void a_policy_set_back_before_the_change_took_effect_is_in_sync_again_at_once() {
    World world = World.inSync(5);
    world.fault(99, Fault.SAVEPOINT_FAILS);
    world.settings = World.seconds(99);
    world.pass(Duration.ofSeconds(30));
    world.settings = World.seconds(5);
    world.pass(Duration.ofMinutes(1));
    assertThat(world.record.state()).isInstanceOf(InSync.class);
    assertThat(world.record.rejected()).isNull();
  }

  @Test
  void a_withdrawal_whose_savepoint_went_through_after_all_starts_the_job_again() {
    World world = World.inSync(5);
    world.fault(99, Fault.SAVEPOINT_FAILS);
    world.settings = World.seconds(99);
    world.pass(Duration.ofMinutes(2));
    world.operatorDown = true;
    world.pass(Duration.ofSeconds(30));
    assertThat(world.record.state()).isInstanceOf(Withdrawing.class);
    world.jobState = JobState.FINISHED;
    world.observed = world.generation;
    world.error = null;
    world.operatorDown = false;
    world.pass(LONG);
    assertThat(world.states).endsWith("Withdrawing", "RollingBack", "Rejected");
    assertThat(world.runsOn()).isEqualTo(World.seconds(5).hash());
  }

  @Test
  void a_way_back_says_from_which_state_the_job_starts() {
    World failed = World.inSync(5);
    failed.fault(99, Fault.MAIN_THROWS);
    failed.settings = World.seconds(99);
    passUntil(failed, RollingBack.class);
    assertThat(failed.record.notice().message())
        .endsWith("The change is being taken back from savepoint file:/savepoint-2.");

    World running = World.inSync(5);
    running.fault(1, Fault.LATE);
    running.settings = World.seconds(1);
    passUntil(running, RollingBack.class);
    assertThat(running.record.notice().message()).endsWith("by a savepoint that is taken now.");

    World never = World.inSync(5);
    never.fault(99, Fault.NEVER_RUNS);
    never.settings = World.seconds(99);
    passUntil(never, RollingBack.class);
    assertThat(never.record.notice().message())
        .endsWith("by last-state, from the job's newest checkpoint.");

    World withdrawn = World.inSync(5);
    withdrawn.fault(99, Fault.SAVEPOINT_FAILS);
    withdrawn.settings = World.seconds(99);
    passUntil(withdrawn, Withdrawing.class);
    assertThat(withdrawn.record.notice().message()).endsWith("without a restart of the job.");

    assertThat(StateSource.taken("file:/state/chk-7"))
        .isEqualTo("from checkpoint file:/state/chk-7");
    assertThat(StateSource.taken("KUBERNETES_OPERATOR_LAST_STATE")).contains("last-state");
    assertThat(StateSource.taken(null)).isEqualTo("without state, for none was saved yet");
  }

  @Test
  void a_brake_holds_the_way_back_and_does_not_eat_its_deadline() {
    World world = World.inSync(5);
    world.fault(99, Fault.MAIN_THROWS);
    world.settings = World.seconds(99);
    passUntil(world, RolloutState.Upgrading.class);
    world.brakes.add(Brake.POLICY_ANNOTATION);
    world.pass(Duration.ofHours(3));
    assertThat(world.record.state()).isInstanceOf(RollingBack.class);
    assertThat(world.record.notice().reason()).isEqualTo(Reason.Paused);
    assertThat(world.writes).hasSize(1);
    world.brakes.clear();
    world.pass(LONG);
    assertThat(world.record.state()).isInstanceOf(Rejected.class);
    assertThat(world.runsOn()).isEqualTo(World.seconds(5).hash());
  }

  @Test
  void what_holds_a_change_does_not_hold_its_way_back() {
    World world = World.inSync(5);
    world.fault(99, Fault.MAIN_THROWS);
    world.settings = World.seconds(99);
    passUntil(world, RolloutState.Upgrading.class);
    world.rollout = withMode(withCooldown(world.rollout, Duration.ofHours(9)), RolloutMode.DryRun);
    world.upgradeMode = UpgradeMode.LAST_STATE;
    world.currentOperator = false;
    world.pass(LONG);
    assertThat(world.record.state()).isInstanceOf(Rejected.class);
    assertThat(world.runsOn()).isEqualTo(World.seconds(5).hash());
  }
}
