package io.tidekeeper.controller.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidekeeper.controller.flink.JobState;
import io.tidekeeper.controller.flink.OperatorError;
import io.tidekeeper.controller.flink.UpgradeMode;
import io.tidekeeper.controller.rollout.RolloutState.InSync;
import io.tidekeeper.controller.rollout.RolloutState.Moving;
import io.tidekeeper.controller.rollout.RolloutState.Preparing;
import io.tidekeeper.controller.rollout.RolloutState.Rejected;
import io.tidekeeper.controller.rollout.RolloutState.RollingBack;
import io.tidekeeper.controller.rollout.RolloutState.Saving;
import io.tidekeeper.controller.rollout.RolloutState.Stalled;
import io.tidekeeper.controller.rollout.RolloutState.Waiting;
import io.tidekeeper.controller.rollout.RolloutState.Withdrawing;
import io.tidekeeper.controller.rollout.World.Fault;
import io.tidekeeper.crds.RolloutMode;
import io.tidekeeper.crds.RolloutSettings;
import io.tidekeeper.policy.LateDataSettings;
import io.tidekeeper.policy.PolicyOptions;
import io.tidekeeper.policy.PolicySettings;
import io.tidekeeper.policy.Punctuated;
import io.tidekeeper.policy.SourceSettings;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rollouts as stories. */
class RolloutDecisionTest {

  private static final Duration LONG = Duration.ofMinutes(20);
  private static final String REVISION = PolicyOptions.REVISION;
  private static final String BOUND = "tidekeeper.default.watermark.bounded.max-out-of-orderness";

  @Test
  void a_change_goes_through_every_state_with_one_write() {
    World world = World.inSync(5);
    OwnKeys before = world.live();
    world.settings = World.seconds(30);
    world.pass(Duration.ofMinutes(5));
    assertThat(world.states)
        .containsExactly("Preparing", "Saving", "Upgrading", "Verifying", "InSync");
    assertThat(world.writes).hasSize(1);
    assertThat(world.runsOn()).isEqualTo(World.seconds(30).hash());
    assertThat(world.live().revision())
        .as("above all before, and above the time of a lost record")
        .isGreaterThan(before.revision())
        .isGreaterThan(world.now.minus(Duration.ofMinutes(6)).toEpochMilli());
    assertThat(world.record.undo()).isEqualTo(before);
    assertThat(world.record.history().get(0).outcome()).isEqualTo(TargetRecord.Outcome.Succeeded);
    assertThat(world.record.sources()).isEqualTo("fares,trips");
    assertThat(world.record.jobFormat()).isEqualTo(1);
  }

  @Test
  void nothing_is_written_when_nothing_changes() {
    World world = World.inSync(5);
    TargetRecord record = world.record;
    world.pass(Duration.ofHours(2));
    assertThat(world.record).isSameAs(record);
    assertThat(world.writes).isEmpty();
  }

  @Test
  void a_policy_before_its_target_is_applied_with_the_first_deployment() {
    World world = new World();
    world.delete();
    world.control();
    assertThat(world.record.notice().reason()).isEqualTo(Reason.TargetNotFound);
    world.create();
    world.control();
    assertThat(world.record.state()).isInstanceOf(Saving.class);
    assertThat(world.live().hash()).isEqualTo(World.seconds(5).hash());
    world.pass(Duration.ofMinutes(5));
    assertThat(world.jobs).as("the job started once").isEqualTo(1);
    assertThat(world.record.state()).isInstanceOf(InSync.class);
  }

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
        .contains("main said no")
        .contains(Annotations.RETRY + ": " + world.record.change());
    assertThat(world.writes).hasSize(2);

    world.faults.clear();
    world.retry = world.record.change();
    world.pass(LONG);
    assertThat(world.record.state()).isInstanceOf(InSync.class);
    assertThat(world.runsOn()).isEqualTo(World.seconds(99).hash());
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
                      "The late share is 10\\.00% \\(\\d+ of \\d+\\), above the limit of 1% and"
                          + " above 0\\.10% \\(\\d+ of \\d+\\) before\\.");
            });
    assertThat(world.runsOn()).isEqualTo(World.seconds(5).hash());
  }

  @Test
  void a_stream_that_was_as_late_before_is_not_the_settings_fault() {
    World world = World.running();
    world.fault(5, Fault.LATE);
    world.fault(6, Fault.LATE);
    world.rollout = withoutLimit(world.rollout);
    world.settings = World.seconds(5);
    world.pass(LONG);
    world.rollout = new World().rollout;
    world.settings = World.seconds(6);
    world.pass(LONG);
    assertThat(world.runsOn()).isEqualTo(World.seconds(6).hash());
    assertThat(world.record.state()).isInstanceOf(InSync.class);
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
  void every_gate_says_what_opens_it_and_opens() {
    World world = World.inSync(5);
    world.settings = World.seconds(30);

    world.brakes.add(Brake.NAMESPACE_ANNOTATION);
    assertThat(gate(world)).isEqualTo(Reason.Paused);
    assertThat(world.record.notice().message()).contains("namespace carries the annotation");
    world.brakes.clear();

    world.rollout = withMode(world.rollout, RolloutMode.DryRun);
    assertThat(gate(world)).isEqualTo(Reason.DryRun);
    world.rollout = withMode(world.rollout, RolloutMode.Auto);

    world.upgradeMode = UpgradeMode.LAST_STATE;
    assertThat(gate(world)).isEqualTo(Reason.UpgradeModeNotSavepoint);
    world.upgradeMode = UpgradeMode.SAVEPOINT;

    world.currentOperator = false;
    assertThat(gate(world)).isEqualTo(Reason.OperatorTooOld);
    world.currentOperator = true;

    world.metrics = false;
    assertThat(gate(world)).isEqualTo(Reason.JobUnreachable);
    world.metrics = true;

    world.tidekeeper = false;
    assertThat(gate(world)).isEqualTo(Reason.NotTidekeeper);
    world.tidekeeper = true;

    world.format = 0;
    assertThat(gate(world)).isEqualTo(Reason.JobTooOld);
    world.format = 1;

    PolicySettings older = world.settings;
    world.settings = newerThanTheJob();
    assertThat(gate(world)).isEqualTo(Reason.JobTooOld);
    assertThat(world.record.notice().message()).contains("format 1", "needs 2");
    world.settings = older;

    world.holder = "transit/older";
    assertThat(gate(world)).isEqualTo(Reason.Conflicted);
    assertThat(world.record.notice().message()).contains("transit/older");
    world.holder = null;

    world.deletingPolicy = true;
    assertThat(gate(world)).isEqualTo(Reason.PolicyDeleting);
    world.deletingPolicy = false;

    world.settings = null;
    assertThat(gate(world)).isEqualTo(Reason.SpecNotAccepted);
    world.settings = World.seconds(30);

    world.taken("platform", REVISION, "1");
    assertThat(gate(world)).isEqualTo(Reason.FieldConflict);
    assertThat(world.record.notice().message()).contains(REVISION + " by platform");

    world.suspend(true);
    world.givenUp("platform");
    assertThat(gate(world)).isEqualTo(Reason.Suspended);
    world.suspend(false);

    assertThat(world.writes).isEmpty();
    world.pass(LONG);
    assertThat(world.runsOn()).isEqualTo(World.seconds(30).hash());
  }

  @Test
  void a_target_of_a_shape_that_cannot_be_rolled_is_not_touched() {
    World world = World.inSync(5);
    world.settings = World.seconds(30);

    world.blueGreenParent = "parent";
    assertThat(gate(world)).isEqualTo(Reason.BlueGreenChild);
    assertThat(world.record.notice().message()).contains("FlinkBlueGreenDeployment parent");
    world.blueGreenParent = null;

    world.application = false;
    assertThat(gate(world)).isEqualTo(Reason.NotApplicationMode);
    world.application = true;

    world.deletingTarget = true;
    assertThat(gate(world)).isEqualTo(Reason.TargetDeleting);
    world.deletingTarget = false;

    world.nestedKeys.add("tidekeeper.default.watermark.type");
    assertThat(gate(world)).isEqualTo(Reason.OverlappingKeys);
    assertThat(world.record.notice().message()).contains("tidekeeper.default.watermark.type");
    world.nestedKeys.clear();

    world.configuration.put("tidekeeper.default", "x");
    assertThat(gate(world)).isEqualTo(Reason.OverlappingKeys);
    world.configuration.remove("tidekeeper.default");

    world.error = new OperatorError("ValidationException", "Forbidden Flink config key");
    assertThat(gate(world)).isEqualTo(Reason.OperatorError);
    assertThat(world.record.notice().message()).contains("Forbidden Flink config key");
    world.error = null;

    world.observed--;
    assertThat(gate(world)).isEqualTo(Reason.TargetBusy);
    world.observed++;
    assertThat(world.writes).isEmpty();
  }

  @Test
  void a_job_that_does_not_run_is_not_touched() {
    World world = World.inSync(5);
    world.jobState = JobState.RESTARTING;
    world.settings = World.seconds(30);
    assertThat(gate(world)).isEqualTo(Reason.JobNotRunning);
    assertThat(world.record.notice().message()).contains("without a savepoint");
  }

  @Test
  void the_cooldown_holds_the_next_change_and_names_its_end() {
    World world = World.inSync(5);
    world.rollout = withCooldown(world.rollout, Duration.ofHours(1));
    world.settings = World.seconds(30);
    assertThat(gate(world)).isEqualTo(Reason.Cooldown);
    assertThat(world.record.notice().message())
        .contains(
            Objects.requireNonNull(world.record.lastFinished())
                .plus(Duration.ofHours(1))
                .toString());
    world.pass(Duration.ofMinutes(70));
    assertThat(world.runsOn()).isEqualTo(World.seconds(30).hash());
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
  void every_source_known_before_must_speak_before_a_change_is_proven() {
    World world = World.inSync(5);
    world.settings = World.seconds(30);
    passUntil(world, RolloutState.Upgrading.class);
    world.silentSource = true;
    world.pass(Duration.ofMinutes(2));
    assertThat(world.record.state()).isInstanceOf(RolloutState.Upgrading.class);
    assertThat(world.record.notice().message()).contains("source fares[0] reports no revision");
    world.silentSource = false;
    world.pass(LONG);
    assertThat(world.record.state()).isInstanceOf(InSync.class);
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
  void a_first_policy_that_fails_leaves_no_option_behind() {
    World world = World.running();
    world.fault(5, Fault.MAIN_THROWS);
    world.pass(LONG);
    assertThat(world.record.state()).isInstanceOf(Rejected.class);
    assertThat(world.live()).isEqualTo(OwnKeys.NONE);
    assertThat(world.jobState).isEqualTo(JobState.RUNNING);
  }

  @Test
  void a_suspension_under_way_stops_the_clock() {
    World world = World.inSync(5);
    world.settings = World.seconds(30);
    passUntil(world, Saving.class);
    world.suspend(true);
    world.pass(Duration.ofHours(5));
    assertThat(world.record.notice().reason()).isEqualTo(Reason.Suspended);
    assertThat(world.record.state()).isInstanceOf(Moving.class);
    world.suspend(false);
    world.pass(LONG);
    assertThat(world.record.state()).isInstanceOf(InSync.class);
    assertThat(world.runsOn()).isEqualTo(World.seconds(30).hash());
  }

  @Test
  void an_incomplete_write_cannot_even_be_said() {
    Map<String, String> options = new TreeMap<>(World.inSync(5).live().options());
    options.remove("tidekeeper.default.watermark.type");
    OwnKeys incomplete = new OwnKeys(new TreeMap<>(options));
    assertThatThrownBy(() -> new Action.Apply("uid", incomplete))
        .hasMessageContaining("incomplete set of options");
    assertThatThrownBy(() -> new Action.Apply("", OwnKeys.NONE)).hasMessageContaining("uid");
  }

  @Test
  void a_controller_that_dies_between_any_two_steps_writes_each_change_once() {
    // World.remember reads the record back from the status, so every step is such a death. What is
    // left is the write that was done and not remembered.
    World world = World.inSync(5);
    world.settings = World.seconds(30);
    while (!(world.record.state() instanceof Preparing)) {
      world.step();
    }
    TargetRecord before = world.record;
    assertThat(world.step()).isInstanceOf(Action.Apply.class);
    world.record = before;
    assertThat(world.step()).isInstanceOf(Action.Remember.class);
    assertThat(world.record.state()).isInstanceOf(Saving.class);
    world.pass(LONG);
    assertThat(world.writes).hasSize(1);
  }

  private static PolicySettings newerThanTheJob() {
    SourceSettings punctuated =
        new SourceSettings(
            new Punctuated("watermark"),
            SourceSettings.DEFAULT_EMIT_INTERVAL,
            null,
            null,
            null,
            null,
            new LateDataSettings(Duration.ZERO, null));
    return new PolicySettings(0, punctuated, new TreeMap<>());
  }

  private static Reason gate(World world) {
    world.control();
    assertThat(world.record.state()).isInstanceOf(Waiting.class);
    return world.record.notice().reason();
  }

  private static void passUntil(World world, Class<? extends RolloutState> state) {
    for (int tick = 0; tick < 100 && !state.isInstance(world.record.state()); tick++) {
      world.tick();
      for (int step = 0; step < 5 && !state.isInstance(world.record.state()); step++) {
        world.step();
      }
    }
    assertThat(world.record.state()).isInstanceOf(state);
  }

  private static RolloutSettings withMode(RolloutSettings old, RolloutMode mode) {
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

  private static RolloutSettings withCooldown(RolloutSettings old, Duration cooldown) {
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

  private static RolloutSettings withoutRollback(RolloutSettings old) {
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

  private static RolloutSettings withoutLimit(RolloutSettings old) {
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
