package io.tidekeeper.controller.rollout;

import static io.tidekeeper.controller.rollout.Stories.LONG;
import static io.tidekeeper.controller.rollout.Stories.passUntil;
import static io.tidekeeper.controller.rollout.Stories.patience;
import static io.tidekeeper.controller.rollout.Stories.withoutLimit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidekeeper.controller.flink.JobManagerState;
import io.tidekeeper.controller.flink.JobState;
import io.tidekeeper.controller.flink.Lifecycle;
import io.tidekeeper.controller.flink.OperatorError;
import io.tidekeeper.controller.rollout.RolloutState.InSync;
import io.tidekeeper.controller.rollout.RolloutState.Moving;
import io.tidekeeper.controller.rollout.RolloutState.Preparing;
import io.tidekeeper.controller.rollout.RolloutState.Rejected;
import io.tidekeeper.controller.rollout.RolloutState.Saving;
import io.tidekeeper.controller.rollout.World.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A change on its way forward, from the first write until it is proven. */
class ForwardStepTest {

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
}
