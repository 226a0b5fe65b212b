package io.tidekeeper.controller.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidekeeper.controller.flink.JobManagerState;
import io.tidekeeper.controller.flink.JobState;
import io.tidekeeper.controller.flink.Lifecycle;
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
import java.time.Instant;
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
        .contains(": main said no. Change the policy")
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
                      "The late share is 10\\.00% \\(100 of 1000\\) in the 5s since the job was"
                          + " first healthy on the new settings, above the limit of 1% and above"
                          + " 0\\.10% \\(\\d+ of \\d+\\) before\\.");
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

  @Test
  void what_a_job_counted_before_it_was_healthy_says_nothing_about_its_settings() {
    World world = World.inSync(5);
    world.settings = World.seconds(30);
    passUntil(world, RolloutState.Upgrading.class);
    // It reads again what had been read when it was stopped, and is late with all of it.
    world.metrics = false;
    world.pass(Duration.ofMinutes(1));
    world.late = world.records;
    world.metrics = true;
    world.pass(Duration.ofMinutes(5));
    assertThat(world.record.state()).isInstanceOf(InSync.class);

    // Nor does it excuse the next settings.
    world.fault(1, Fault.LATE);
    world.settings = World.seconds(1);
    world.pass(LONG);
    assertThat(world.record.state()).isInstanceOf(Rejected.class);
    assertThat(world.record.notice().message()).contains("0.10%");
  }

  @Test
  void counters_that_start_anew_are_counted_from_nothing() {
    LateCount count = new LateCount(500, 20);
    assertThat(count.since(new LateCount(400, 10))).isEqualTo(new LateCount(100, 10));
    assertThat(count.since(new LateCount(501, 10))).isEqualTo(count);
    assertThat(count.since(new LateCount(400, 21))).isEqualTo(count);
    assertThat(count.since(new LateCount(495, 10))).as("more late than all").isEqualTo(count);
  }

  @Test
  void a_refused_write_waits_for_the_target_to_change() {
    World world = World.inSync(5);
    world.settings = World.seconds(30);
    world.refusal = "tidekeeper.revision is owned by gitops";
    world.pass(LONG);
    assertThat(world.record.state()).isInstanceOf(Waiting.class);
    assertThat(world.record.notice())
        .isEqualTo(new Notice(Reason.FieldConflict, "tidekeeper.revision is owned by gitops"));
    assertThat(world.writes).isEmpty();
    world.refusal = null;
    world.pass(LONG);
    assertThat(world.runsOn()).isEqualTo(World.seconds(30).hash());
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
  void a_first_deployment_waits_for_its_operator_as_long_as_it_takes() {
    World world = new World();
    world.operatorDown = true;
    world.pass(Duration.ofHours(3));
    assertThat(world.record.state()).isInstanceOf(Saving.class);
    assertThat(world.record.notice().reason()).isEqualTo(Reason.OperatorPending);
    assertThat(world.record.notice().message()).doesNotContainIgnoringCase("savepoint");
    world.operatorDown = false;
    world.pass(LONG);
    assertThat(world.record.state()).isInstanceOf(InSync.class);
    assertThat(world.jobs).isEqualTo(1);
    assertThat(world.writes).hasSize(1);
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
  void an_error_that_an_operator_takes_back_before_each_try_is_told_once() {
    World world = World.inSync(5);
    world.fault(99, Fault.SAVEPOINT_FAILS);
    world.settings = World.seconds(99);
    passUntil(world, Saving.class);
    world.error = new OperatorError("UpgradeFailureException", "Savepoint Error");
    world.operatorDown = true;
    world.pass(World.TICK);
    TargetRecord failing = world.record;
    assertThat(failing.notice().reason()).isEqualTo(Reason.SavepointFailing);

    world.error = null;
    world.pass(World.TICK);
    assertThat(world.record).isEqualTo(failing);
  }

  @Test
  void a_transaction_that_ends_before_a_change_could_be_proven_holds_it() {
    World world = World.inSync(5);
    world.settings = World.seconds(30);
    world.configuration.put(TransactionTimeout.BUNDLED, "subway");
    Objects.requireNonNull(world.reconciled).put(TransactionTimeout.BUNDLED, "subway");
    world.configuration.put(TransactionTimeout.OPTION, "6m59s");
    assertThat(gate(world)).isEqualTo(Reason.TransactionTimeoutTooShort);
    assertThat(world.record.notice().message())
        .contains("6m59s", "savepointTimeout 2m", "healthDeadline 5m", "at least 7m");
    world.configuration.put(TransactionTimeout.OPTION, "7m");
    Objects.requireNonNull(world.reconciled).put(TransactionTimeout.OPTION, "7m");
    world.pass(LONG);
    assertThat(world.runsOn()).isEqualTo(World.seconds(30).hash());
  }

  @Test
  void the_defaults_leave_a_transaction_just_enough_time() {
    World world = World.inSync(5);
    world.settings = World.seconds(30);
    world.rollout = RolloutSettings.DEFAULTS;
    assertThat(gate(world)).isEqualTo(Reason.Cooldown);
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
    assertThat(world.record.notice().message())
        .contains("(http://job-rest:8081/jobs: java.net.ConnectException)");
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

    world.leaving = true;
    assertThat(gate(world)).isEqualTo(Reason.PolicyDeleting);
    world.leaving = false;

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
  void what_corrects_a_change_that_was_taken_back_is_not_held_by_the_cooldown() {
    World world = World.inSync(5);
    world.fault(99, Fault.MAIN_THROWS);
    world.settings = World.seconds(99);
    world.pass(LONG);
    assertThat(world.record.state()).isInstanceOf(Rejected.class);
    world.rollout = withCooldown(world.rollout, Duration.ofHours(1));
    world.settings = World.seconds(9);
    world.pass(LONG);
    assertThat(world.runsOn()).isEqualTo(World.seconds(9).hash());
    world.settings = World.seconds(10);
    assertThat(gate(world)).as("after one that went through").isEqualTo(Reason.Cooldown);
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
  void an_error_that_stays_from_one_look_of_the_operator_to_the_next_is_no_failure() {
    World world = deployed();
    hear(world, "DeploymentFailedException", Duration.ofSeconds(65));
    assertThat(world.states)
        .containsExactly("Preparing", "Saving", "Upgrading", "Verifying", "InSync");
  }

  @Test
  void a_job_that_was_not_found_yet_and_waits_for_slots_is_no_failure() {
    World world = deployed();
    world.jobManager = JobManagerState.READY;
    world.jobState = JobState.CREATED;
    hear(world, "Job Not Found", Duration.ofMinutes(4));
    assertThat(world.states)
        .containsExactly("Preparing", "Saving", "Upgrading", "Verifying", "InSync");
  }

  /** A change that the operator has just deployed. */
  private static World deployed() {
    World world = World.inSync(5);
    world.settings = World.seconds(30);
    while (world.lifecycle != Lifecycle.DEPLOYED) {
      world.pass(World.TICK);
    }
    return world;
  }

  /** For so long the operator reports an error and does nothing; then all is well. */
  private static void hear(World world, String error, Duration time) {
    world.error = new OperatorError("Error", error);
    world.operatorDown = true;
    world.pass(time);
    assertThat(world.record.notice().message()).contains("the operator reports Error: " + error);
    world.error = null;
    world.operatorDown = false;
    world.pass(LONG);
  }

  @Test
  void a_job_is_asked_every_second_once_only_its_word_is_missing() {
    World world = World.inSync(5);
    world.settings = World.seconds(30);
    passUntil(world, RolloutState.Upgrading.class);
    assertThat(world.lifecycle).isEqualTo(Lifecycle.UPGRADING);
    assertThat(patience(world)).as("while the operator is at work").isEqualTo(Look.POLL);

    world.metrics = false;
    world.pass(World.TICK.multipliedBy(2));
    assertThat(world.record.notice().message()).contains("the job's metrics cannot be read");
    assertThat(patience(world)).isEqualTo(Look.LISTEN);

    world.brakes.add(Brake.POLICY_SPEC);
    world.suspend(true);
    assertThat(patience(world)).as("while it is held").isEqualTo(Look.POLL);
  }

  @Test
  void a_job_that_does_not_answer_is_soon_asked_again_before_a_change() {
    World world = World.inSync(5);
    world.metrics = false;
    world.settings = World.seconds(30);
    assertThat(patience(world)).isEqualTo(Look.POLL);
    assertThat(world.record.notice().reason()).isEqualTo(Reason.JobUnreachable);
    world.now = world.now.plus(Look.REST);
    assertThat(patience(world)).as("one that is silent for long").isEqualTo(Look.REST);
  }

  @Test
  void the_watch_begins_anew_with_the_first_watermark() {
    World world = World.inSync(5);
    world.settings = World.seconds(30);
    world.emits = false;
    passUntil(world, RolloutState.Verifying.class);
    Instant healthy = flight(world).healthySince();
    world.emits = true;
    world.pass(World.TICK);
    assertThat(flight(world).healthySince()).isEqualTo(world.now).isNotEqualTo(healthy);
    Instant emitting = flight(world).healthySince();
    world.pass(World.TICK);
    assertThat(flight(world).healthySince()).as("once only").isEqualTo(emitting);
    world.pass(LONG);
    assertThat(world.record.state()).isInstanceOf(InSync.class);
  }

  private static Flight flight(World world) {
    return ((RolloutState.Moving) world.record.state()).flight();
  }

  @Test
  void a_job_that_is_watched_is_looked_at_when_its_time_is_over() {
    World world = World.inSync(5);
    world.settings = World.seconds(30);
    passUntil(world, RolloutState.Verifying.class);
    Duration time = world.rollout.healthyFor();
    assertThat(patience(world)).isEqualTo(Look.POLL);
    world.now = world.now.plus(time).minusMillis(300);
    assertThat(patience(world)).isEqualTo(Duration.ofMillis(300));
    world.now = world.now.plusMillis(300);
    assertThat(patience(world)).as("it waits for a checkpoint").isEqualTo(Look.POLL);
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

  /** How long the controller waits after it has decided everything there is to decide. */
  private static Duration patience(World world) {
    Action action = world.step();
    while (!(action instanceof Action.Wait)) {
      action = world.step();
    }
    return ((Action.Wait) action).atMost();
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
