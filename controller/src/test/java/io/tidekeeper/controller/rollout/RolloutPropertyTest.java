package io.tidekeeper.controller.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.controller.rollout.RolloutState.Moving;
import io.tidekeeper.controller.rollout.RolloutState.Resting;
import io.tidekeeper.controller.rollout.RolloutState.RollingBack;
import io.tidekeeper.controller.rollout.RolloutState.WayBack;
import io.tidekeeper.controller.rollout.RolloutState.Withdrawing;
import io.tidekeeper.controller.rollout.World.Fault;
import io.tidekeeper.crds.RolloutMode;
import io.tidekeeper.crds.RolloutSettings;
import io.tidekeeper.policy.PolicyOptions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** Whatever happens in whatever order. */
class RolloutPropertyTest {

  private static final int MOST_STEPS = 12;
  private static final Set<Reason> HOLDS =
      Set.of(Reason.Paused, Reason.Suspended, Reason.FieldConflict);

  /** What can happen between two looks of the controller. */
  enum Happening {
    NOTHING,
    FIVE_MINUTES,
    AN_HOUR,
    SPEC_GOOD,
    SPEC_FIRST,
    SPEC_FAILS_MAIN,
    SPEC_FAILS_SAVEPOINT,
    SPEC_RESTARTS,
    SPEC_LATE,
    SPEC_NEVER_RUNS,
    SPEC_STOPS_JOB_MANAGER,
    SPEC_INVALID,
    DRY_RUN,
    AUTO,
    ROLLBACK_OFF,
    ROLLBACK_ON,
    BRAKE,
    RELEASE,
    SUSPEND,
    RESUME,
    TAKE_KEY,
    TAKE_KEY_SAME_SETTINGS,
    STRIP_KEY,
    GIVE_UP,
    DELETE,
    CREATE,
    LOSE_STATUS,
    METRICS_GONE,
    METRICS_BACK,
    OTHER_HOLDER,
    HOLDER_GONE,
    RETRY,
    REJECT,
    OPERATOR_DOWN,
    OPERATOR_BACK,
    OWNER_UPGRADES,
    POLICY_LEAVES,
    POLICY_BACK
  }

  @Provide
  Arbitrary<List<Happening>> happenings() {
    return Arbitraries.of(Happening.class).list().ofMinSize(1).ofMaxSize(60);
  }

  @Property(tries = 400)
  void whatever_happens_each_step_is_safe_and_it_ends(
      @ForAll("happenings") List<Happening> happenings) {
    World world = World.running();
    world.fault(90, Fault.MAIN_THROWS);
    world.fault(91, Fault.SAVEPOINT_FAILS);
    world.fault(92, Fault.RESTARTS);
    world.fault(93, Fault.LATE);
    world.fault(94, Fault.NEVER_RUNS);
    world.fault(95, Fault.JOB_MANAGER_ERROR);
    for (Happening happening : happenings) {
      happen(world, happening);
      world.tick();
      control(world);
    }

    // Everything is put right: it must come to rest, and on a whole policy.
    calmDown(world);
    for (int tick = 0; tick < 800; tick++) {
      world.tick();
      control(world);
    }
    assertThat(world.record.state()).isInstanceOf(Resting.class);
    // Without an accepted spec nothing is written, not even to repair what somebody stripped.
    assertThat(world.live().isComplete() || world.settings == null)
        .as("%s%n%s", world.record, world.live())
        .isTrue();
    int writes = world.writes.size();
    TargetRecord record = world.record;
    for (int tick = 0; tick < 50; tick++) {
      world.tick();
      control(world);
    }
    assertThat(world.writes).as("at rest nothing is written").hasSize(writes);
    assertThat(world.record).as("nor into the status").isEqualTo(record);

    // A good policy is applied in the end, whatever came before.
    world.settings = World.seconds(42);
    for (int tick = 0; tick < 400; tick++) {
      world.tick();
      control(world);
    }
    assertThat(world.record.state()).as("%s", world.record).isInstanceOf(RolloutState.InSync.class);
    assertThat(world.runsOn()).isEqualTo(World.seconds(42).hash());
  }

  /** Decides until nothing is to be done, and judges every step. */
  private static void control(World world) {
    for (int step = 0; step < MOST_STEPS; step++) {
      Action action = judged(world);
      if (action instanceof Action.Wait) {
        return;
      }
    }
    throw new AssertionError("the controller never waits: " + world.record);
  }

  private static Action judged(World world) {
    TargetRecord before = world.record;
    Observation seen = world.observe();
    Action action = world.step();
    assertThat(RolloutDecision.decide(seen, world.now))
        .as("the same look, the same answer")
        .isEqualTo(action);
    if (action instanceof Action.Remember remember) {
      RolloutState next = remember.next().state();
      assertThat(
              next.getClass() == before.state().getClass()
                  || before.state().successors().contains(next.getClass()))
          .as("%s -> %s", before.state().name(), next.name())
          .isTrue();
      if (next instanceof Moving moving) {
        assertThat(moving.deadline()).as("a moving state has a deadline").isNotNull();
      } else {
        assertThat(next.deadline()).isNull();
      }
    } else if (action instanceof Action.Apply apply) {
      judgeWrite(seen, before, apply);
    } else {
      judgeWait(seen, before);
    }
    return action;
  }

  private static void judgeWrite(Observation seen, TargetRecord before, Action.Apply apply) {
    assertThat(apply.uid()).isEqualTo(Objects.requireNonNull(seen.target()).uid());
    assertThat(apply.keys().isComplete()).isTrue();
    assertThat(seen.policy().brakes()).as("nothing is written under a brake").isEmpty();
    assertThat(seen.policy().leaving() && !(before.state() instanceof WayBack))
        .as("a policy that goes begins nothing")
        .isFalse();
    if (before.state() instanceof Moving moving) {
      OwnKeys previous = moving.flight().previous();
      if (moving instanceof Withdrawing) {
        assertThat(apply.keys()).as("byte for byte").isEqualTo(previous);
      } else if (moving instanceof RollingBack) {
        assertThat(apply.keys().hash()).isEqualTo(Objects.requireNonNull(previous).hash());
      } else {
        assertThat(apply.keys().hash()).isEqualTo(moving.flight().desiredHash());
      }
    } else {
      assertThat(apply.keys())
          .as("at rest only ownership is taken")
          .isEqualTo(OwnKeys.in(seen.target().configuration()));
    }
  }

  private static void judgeWait(Observation seen, TargetRecord before) {
    if (before.state() instanceof WayBack back && seen.target() != null) {
      OwnKeys previous = Objects.requireNonNull(back.flight().previous());
      OwnKeys wanted =
          back instanceof Withdrawing ? previous : previous.withRevision(back.flight().revision());
      if (!OwnKeys.in(seen.target().configuration()).equals(wanted)) {
        assertThat(before.notice().reason())
            .as("a way back is held by nothing else: %s", before)
            .isIn(HOLDS);
      }
    }
  }

  private static void happen(World world, Happening happening) {
    switch (happening) {
      case NOTHING -> {}
      case FIVE_MINUTES -> ticks(world, Duration.ofMinutes(5));
      case AN_HOUR -> world.now = world.now.plus(Duration.ofHours(1));
      case SPEC_GOOD -> world.settings = World.seconds(30);
      case SPEC_FIRST -> world.settings = World.seconds(5);
      case SPEC_FAILS_MAIN -> world.settings = World.seconds(90);
      case SPEC_FAILS_SAVEPOINT -> world.settings = World.seconds(91);
      case SPEC_RESTARTS -> world.settings = World.seconds(92);
      case SPEC_LATE -> world.settings = World.seconds(93);
      case SPEC_NEVER_RUNS -> world.settings = World.seconds(94);
      case SPEC_STOPS_JOB_MANAGER -> world.settings = World.seconds(95);
      case SPEC_INVALID -> world.settings = null;
      case DRY_RUN -> rollout(world, RolloutMode.DryRun, world.rollout.autoRollback());
      case AUTO -> rollout(world, RolloutMode.Auto, world.rollout.autoRollback());
      case ROLLBACK_OFF -> rollout(world, world.rollout.mode(), false);
      case ROLLBACK_ON -> rollout(world, world.rollout.mode(), true);
      case BRAKE -> world.brakes.add(Brake.POLICY_ANNOTATION);
      case RELEASE -> world.brakes.clear();
      case SUSPEND -> world.suspend(world.exists);
      case RESUME -> world.suspend(false);
      case TAKE_KEY ->
          take(world, "tidekeeper.default.watermark.bounded.max-out-of-orderness", "77s");
      case TAKE_KEY_SAME_SETTINGS -> take(world, PolicyOptions.REVISION, "7");
      case STRIP_KEY -> {
        take(world, "tidekeeper.default.watermark.type", "Monotonous");
        world.givenUp("kubectl-edit");
      }
      case GIVE_UP -> world.givenUp("kubectl-edit");
      case DELETE -> world.delete();
      case CREATE -> world.create();
      case LOSE_STATUS -> world.record = TargetRecord.fresh("job", world.now);
      case METRICS_GONE -> world.metrics = false;
      case METRICS_BACK -> world.metrics = true;
      case OTHER_HOLDER -> world.holder = "transit/older";
      case HOLDER_GONE -> world.holder = null;
      case RETRY -> world.retry = suffixed(world.record.change(), world.generation);
      case REJECT -> world.reject = world.record.change();
      case OPERATOR_DOWN -> world.operatorDown = true;
      case OPERATOR_BACK -> world.operatorDown = false;
      case POLICY_LEAVES -> world.leaving = true;
      case POLICY_BACK -> world.leaving = false;
      case OWNER_UPGRADES -> {
        if (world.exists) {
          world.configuration.put("some.key", Long.toString(world.generation));
          world.generation++;
        }
      }
    }
  }

  private static void rollout(World world, RolloutMode mode, boolean autoRollback) {
    RolloutSettings old = world.rollout;
    world.rollout =
        new RolloutSettings(
            mode,
            old.paused(),
            old.cooldown(),
            old.savepointTimeout(),
            old.healthDeadline(),
            old.healthyFor(),
            autoRollback,
            old.lateShareAbove());
  }

  private static @Nullable String suffixed(@Nullable String change, long number) {
    return change == null ? null : change + "/" + number;
  }

  private static void take(World world, String key, String value) {
    if (world.exists) {
      world.taken("kubectl-edit", key, value);
    }
  }

  private static void ticks(World world, Duration time) {
    for (long tick = 0; tick < time.dividedBy(World.TICK); tick++) {
      world.tick();
      control(world);
    }
  }

  private static void calmDown(World world) {
    // Somebody repaired the place for savepoints.
    world.faults.values().removeIf(fault -> fault == Fault.SAVEPOINT_FAILS);
    rollout(world, RolloutMode.Auto, true);
    world.brakes.clear();
    world.create();
    world.suspend(false);
    world.givenUp("kubectl-edit");
    world.metrics = true;
    world.holder = null;
    world.retry = null;
    world.reject = null;
    world.operatorDown = false;
    world.leaving = false;
  }
}
