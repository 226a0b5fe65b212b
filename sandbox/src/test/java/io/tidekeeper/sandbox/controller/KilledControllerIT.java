package io.tidekeeper.sandbox.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.tidekeeper.controller.rollout.Annotations;
import io.tidekeeper.controller.rollout.RolloutState;
import io.tidekeeper.crds.TargetStatus;
import io.tidekeeper.sandbox.account.Claim;
import io.tidekeeper.sandbox.account.Settlement;
import io.tidekeeper.sandbox.stage.ControllerProcess;
import io.tidekeeper.sandbox.traffic.Disorder;
import io.tidekeeper.sandbox.traffic.Traffic;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The controller's process is killed in every state that a rollout can be in, while traffic runs
 * through the real job. The next process ends the change as it had to end, with no upgrade more
 * than that takes, and no record is lost or counted twice over all of it.
 */
@NullUnmarked
@ExtendWith({Chain.Shared.class, KilledControllerIT.NothingAfterAFailure.class})
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class KilledControllerIT {

  /** A state can be over before the kill arrives. */
  private static final int MOST_ATTEMPTS = 5;

  /** Each process has a folder of its own in it. */
  private static final Path LOGS = Path.of("target", "killed-controller");

  private static final int KILLED = 128 + 9;
  private static final Disorder DISORDER =
      new Disorder(Duration.ofSeconds(3), Duration.ofSeconds(20), 0.1);

  private static Chain chain;
  private static Subway subway;
  private static Watched watched;
  private static Traffic traffic;
  private static ControllerProcess controller;
  private static int processes;
  private static int bound = 5;
  private static int upgrades;
  private static long writes;
  private static TargetStatus atDeath;
  private static long generationAtDeath;

  /**
   * A change on its way through a state.
   *
   * @param begin makes the change
   * @param goOn what is done once the controller is there again
   * @param end the state in which it ends
   * @param upgrades how many jobs are submitted because of it
   * @param writes how many times the target is changed because of it
   * @param outcomes what the history says of it, oldest first
   * @param after leads back to a proven policy, without an upgrade
   */
  private record Passage(
      Step begin,
      Step goOn,
      String end,
      int upgrades,
      int writes,
      List<String> outcomes,
      Step after) {}

  private interface Step {
    void run() throws IOException;
  }

  private static final Step NOTHING = () -> {};

  /** The one way forward that most states lie on. */
  private static final Passage FORWARD =
      new Passage(
          KilledControllerIT::change, NOTHING, "InSync", 1, 1, List.of("Succeeded"), NOTHING);

  private static final Map<Class<? extends RolloutState>, Passage> PASSAGES =
      Map.of(
          RolloutState.Waiting.class,
          new Passage(
              () -> {
                subway.annotate(Annotations.PAUSED, "true");
                change();
              },
              () -> {
                assertRests();
                subway.annotate(Annotations.PAUSED, "false");
              },
              "InSync",
              1,
              1,
              List.of("Succeeded"),
              NOTHING),
          RolloutState.Preparing.class,
          FORWARD,
          RolloutState.Saving.class,
          FORWARD,
          RolloutState.Upgrading.class,
          FORWARD,
          RolloutState.Verifying.class,
          FORWARD,
          RolloutState.InSync.class,
          new Passage(
              KilledControllerIT::change,
              KilledControllerIT::assertRests,
              "InSync",
              1,
              1,
              List.of("Succeeded"),
              NOTHING),
          RolloutState.Withdrawing.class,
          new Passage(
              () -> {
                subway.blockSavepoints();
                bound++;
                subway.apply(subway.spec(bound + "s", "healthyFor: 1s, savepointTimeout: 10s", ""));
              },
              NOTHING,
              "Rejected",
              0,
              2,
              List.of("Withdrawn"),
              () -> {
                subway.unblockSavepoints();
                backToFormer();
              }),
          RolloutState.RollingBack.class,
          new Passage(
              () -> changeThatMainRefuses(true),
              NOTHING,
              "Rejected",
              2,
              2,
              List.of("RolledBack"),
              KilledControllerIT::backToFormer),
          RolloutState.Rejected.class,
          new Passage(
              () -> changeThatMainRefuses(true),
              KilledControllerIT::assertRests,
              "Rejected",
              2,
              2,
              List.of("RolledBack"),
              KilledControllerIT::backToFormer),
          RolloutState.Stalled.class,
          new Passage(
              () -> changeThatMainRefuses(false),
              () -> {
                assertRests();
                change();
              },
              "InSync",
              2,
              2,
              List.of("Stalled", "Succeeded"),
              NOTHING));

  @BeforeAll
  static void start(Chain shared) {
    chain = shared;
    subway = chain.subway();
    controller = startController();
    watched = new Watched(chain.cluster.admin(), subway.namespace);
    TargetStatus first = subway.begin(bound + "s");
    assertThat(first.state()).isEqualTo("InSync");
    traffic = subway.traffic(300, DISORDER);
    // The operator may have been faster than the controller with its first deployment.
    awaitWatch();
    upgrades = watched.sum().jobs();
    writes = watched.sum().generation();
  }

  @AfterAll
  static void stop() {
    if (subway != null) {
      controller.kill();
      assertThat(controller.awaitExit(Cluster.PATIENCE)).isEqualTo(KILLED);
      watched.close();
      if (traffic != null) {
        traffic.close();
      }
      subway.close();
    }
  }

  /** Every state there is: one that is added fails until there is a way through it. */
  static Stream<Class<?>> states() {
    return leaves(RolloutState.class);
  }

  private static Stream<Class<?>> leaves(Class<?> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses()).flatMap(KilledControllerIT::leaves)
        : Stream.of(type);
  }

  @ParameterizedTest
  @MethodSource("states")
  @Order(1)
  void whatItWasKilledInIsEnded(Class<?> state) throws IOException {
    Passage passage = PASSAGES.get(state);
    assertThat(passage).as("a way through %s", state).isNotNull();
    boolean landed = false;
    for (int attempt = 1; attempt <= MOST_ATTEMPTS && !landed; attempt++) {
      landed = killIn(state.getSimpleName(), passage);
    }
    assertThat(landed).as("killed in %s", state).isTrue();
  }

  @Test
  @Order(2)
  void overAllOfItNothingWasLostOrCountedTwice() {
    Settlement settlement = subway.settle(traffic);

    System.out.println(settlement.counters());
    assertThat(settlement.claims()).filteredOn(claim -> !claim.holds()).isEmpty();
    assertThat(settlement.claims())
        .extracting(Claim::name)
        .contains("everything is accounted for", "no window twice");
    assertThat(settlement.counters())
        .allSatisfy(
            (name, count) -> {
              if (List.of("counted", "late", "malformed", "future").contains(name)) {
                assertThat(count).as(name).isPositive();
              }
            });
    assertThat(watched.sum().jobs()).as("jobs over all").isEqualTo(upgrades);
    // To suspend the job is one more.
    assertThat(subway.generation()).as("writes over all").isEqualTo(writes + 1);
  }

  /** Returns whether the process was killed in this state; it may have gone on. */
  private static boolean killIn(String state, Passage passage) throws IOException {
    Watched.Sum before = watched.sum();
    Map<String, String> optionsBefore = subway.options();
    String changeBefore = subway.target().change();
    watched.once(
        target -> state.equals(target.state()) && !target.change().equals(changeBefore),
        controller::kill);
    passage.begin.run();
    await(state)
        .atMost(Cluster.PATIENCE)
        .until(() -> !watched.isArmed() || isEnded(subway.target(), passage, before));
    if (watched.disarm()) {
      // A slow controller may pass through a state between two looks, unseen.
      controller.kill();
    }
    long killed = System.nanoTime();
    assertThat(controller.awaitExit(Cluster.PATIENCE)).isEqualTo(KILLED);
    atDeath = subway.target();
    generationAtDeath = subway.generation();
    boolean written = !subway.options().equals(optionsBefore);

    controller = startController();
    passage.goOn.run();
    TargetStatus ended = subway.awaitTarget(target -> isEnded(target, passage, before));
    double seconds = (System.nanoTime() - killed) / 1e9;

    upgrades += passage.upgrades;
    writes += passage.writes;
    awaitWatch();
    Watched.Sum after = watched.sum();
    System.out.printf(
        "%-11s killed in %s, %s: after %.1f s %s, %s; %d jobs submitted, %d writes%n",
        state,
        atDeath.state(),
        written ? "target written" : "target not written",
        seconds,
        ended.state(),
        after.outcomes().subList(before.outcomes().size(), after.outcomes().size()),
        after.jobs() - before.jobs(),
        after.generation() - before.generation());
    assertThat(after.jobs()).as("jobs submitted so far").isEqualTo(upgrades);
    assertThat(after.generation()).as("writes so far").isEqualTo(writes);
    assertThat(after.outcomes().subList(before.outcomes().size(), after.outcomes().size()))
        .isEqualTo(passage.outcomes);
    assertSettings(passage, optionsBefore);
    passage.after.run();
    return state.equals(atDeath.state());
  }

  private static boolean isEnded(TargetStatus target, Passage passage, Watched.Sum before) {
    return passage.end.equals(target.state())
        && watched.sum().outcomes().size() == before.outcomes().size() + passage.outcomes.size();
  }

  private static void awaitWatch() {
    await("what the watch shows of the end")
        .atMost(Cluster.PATIENCE)
        .until(() -> watched.version().equals(subway.version()));
  }

  /** Those asked for, or exactly the former ones. */
  private static void assertSettings(Passage passage, Map<String, String> before) {
    Map<String, String> expected = new TreeMap<>(before);
    Map<String, String> options = subway.options();
    if (passage.end.equals("InSync")) {
      expected.put(Subway.BOUND, bound + "s");
    }
    if (passage.upgrades > 0) {
      String revision = "tidekeeper.revision";
      assertThat(Long.parseLong(options.get(revision)))
          .isGreaterThan(Long.parseLong(expected.get(revision)));
      expected.put(revision, options.get(revision));
    }
    assertThat(options).isEqualTo(expected);
  }

  /** Nothing has moved since the kill when the new process has had its look. */
  private static void assertRests() {
    subway.awaitAnotherPolicysLook();
    TargetStatus now = subway.target();
    assertThat(now.state()).isEqualTo(atDeath.state());
    assertThat(now.reason()).isEqualTo(atDeath.reason());
    assertThat(now.since()).isEqualTo(atDeath.since());
    assertThat(subway.generation()).isEqualTo(generationAtDeath);
  }

  private static void change() {
    bound++;
    subway.apply(subway.spec(bound + "s"));
  }

  private static void changeThatMainRefuses(boolean autoRollback) {
    bound++;
    subway.apply(
        subway.spec(
            bound + "s", "healthyFor: 1s, autoRollback: " + autoRollback, Subway.UNKNOWN_SOURCE));
  }

  /** A rejected change ends with the former values, without a restart. */
  private static void backToFormer() {
    String former = subway.options().get(Subway.BOUND);
    subway.apply(subway.spec(former));
    subway.awaitInSync(former);
  }

  /** One that is the only replica, under its own identity, for the test's namespace. */
  private static ControllerProcess startController() {
    return ControllerProcess.start(
        chain.cluster.api,
        Cluster.CONTROLLER.user(),
        chain.flink.restUri(),
        LOGS.resolve(String.valueOf(++processes)),
        "--namespaces=" + subway.namespace,
        "--no-leader-election");
  }

  /** After a failure the target is not as the next change has to find it. */
  static final class NothingAfterAFailure
      implements BeforeTestExecutionCallback, AfterTestExecutionCallback {
    private boolean failed;

    @Override
    public void beforeTestExecution(ExtensionContext context) {
      assumeFalse(failed, "an earlier change has failed");
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
      failed |= context.getExecutionException().isPresent();
    }
  }
}
