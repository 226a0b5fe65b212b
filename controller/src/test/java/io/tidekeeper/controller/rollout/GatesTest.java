package io.tidekeeper.controller.rollout;

import static io.tidekeeper.controller.rollout.Stories.LONG;
import static io.tidekeeper.controller.rollout.Stories.gate;
import static io.tidekeeper.controller.rollout.Stories.patience;
import static io.tidekeeper.controller.rollout.Stories.withCooldown;
import static io.tidekeeper.controller.rollout.Stories.withMode;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.controller.flink.JobState;
import io.tidekeeper.controller.flink.OperatorError;
import io.tidekeeper.controller.flink.UpgradeMode;
import io.tidekeeper.controller.rollout.RolloutState.Rejected;
import io.tidekeeper.controller.rollout.RolloutState.Waiting;
import io.tidekeeper.controller.rollout.World.Fault;
import io.tidekeeper.crds.RolloutMode;
import io.tidekeeper.crds.RolloutSettings;
import io.tidekeeper.policy.LateDataSettings;
import io.tidekeeper.policy.PolicyOptions;
import io.tidekeeper.policy.PolicySettings;
import io.tidekeeper.policy.Punctuated;
import io.tidekeeper.policy.SourceSettings;
import java.time.Duration;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A change that waits: what holds it, and what opens that. */
class GatesTest {

  private static final String REVISION = PolicyOptions.REVISION;

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
}
