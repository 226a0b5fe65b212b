package io.tidekeeper.sandbox.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An operator that is killed in anything it does is followed by one that knows only what is in the
 * status and in Flink. {@link FakeJobs} sees to it that no state is lost and no two jobs run.
 */
@NullUnmarked
class KilledAnywhereTest {
  private static final int MOST_STEPS = 200;
  private static final int NEVER = Integer.MAX_VALUE;

  private Killer killer;
  private FakeDeployments deployments;
  private FakeJobs jobs;
  private Worker operator;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anUpgradeABadValueAndASuspensionEndRightWhereverTheOperatorDies(boolean beforeTheEffect) {
    int at = 0;
    do {
      at++;
      begin(new Killer(at, beforeTheEffect));
      wholeStory();
    } while (killer.hasStruck());
    System.out.printf("killed in %d places%n", at - 1);
    assertThat(at).isGreaterThan(50);
  }

  @Test
  void aSavepointThatFailsIsTriedAgainAndGivenUpWithTheChange() {
    begin(new Killer(NEVER, false));
    apply("running", "10s", this::isStable);
    jobs.savepointsFail = true;
    apply("running", "20s", () -> deployments.now().status().error() != null);
    assertThat(deployments.lifecycle()).isEqualTo("STABLE");
    assertThat(deployments.now().hasNews()).isTrue();
    int told = deployments.told.size();
    goOn(() -> deployments.told.size() >= told + 4);

    apply("running", "10s", () -> !deployments.now().hasNews());

    assertThat(deployments.now().status().error()).isNull();
    assertThat(jobs.runningValue()).isEqualTo("10s");
    assertThat(jobs.savepoints()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aJobThatDoesNotRunGivesWayFromItsNewestCheckpoint(boolean beforeTheEffect) {
    int at = 0;
    do {
      at++;
      begin(new Killer(at, beforeTheEffect));
      apply("running", "10s", this::isStable);
      jobs.letCrashLoop();
      apply("running", "20s", () -> isStable() && jobs.runningValue().equals("20s"));
      assertThat(deployments.now().status().upgradeSavepoint()).isEqualTo("chk-1");
      assertThat(deployments.now().status().lastReconciled().spec().upgradeMode())
          .isIn("last-state", "savepoint");
    } while (killer.hasStruck());
  }

  @Test
  void aChangeOfTheOperatorsOwnSettingsIsNotedWithoutARestart() {
    begin(new Killer(NEVER, false));
    apply("running", "10s", this::isStable);
    String before = deployments.now().status().jobId();
    deployments.applyOption("kubernetes.operator.savepoint.history.max.count", "5");

    goOn(() -> !deployments.now().hasNews());

    assertThat(deployments.now().status().jobId()).isEqualTo(before);
    assertThat(deployments.lifecycle()).isEqualTo("STABLE");
    assertThat(deployments.told).doesNotContain("SpecChanged");
  }

  @Test
  void aSpecThatCannotBeRunIsRefusedAndLeavesTheJobAlone() {
    begin(new Killer(NEVER, false));
    apply("running", "10s", this::isStable);
    deployments.dropJob();

    goOn(() -> deployments.now().status().error() != null);

    assertThat(deployments.now().status().error()).contains("ValidationException", "spec.job");
    assertThat(deployments.lifecycle()).isEqualTo("STABLE");
    assertThat(jobs.runningValue()).isEqualTo("10s");
    apply("running", "20s", () -> isStable() && jobs.runningValue().equals("20s"));
  }

  private void wholeStory() {
    apply("running", "10s", this::isStable);
    assertThat(jobs.runningValue()).isEqualTo("10s");

    apply("running", "20s", this::isStable);
    assertThat(jobs.runningValue()).isEqualTo("20s");

    apply("running", FakeJobs.BAD, () -> deployments.lifecycle().equals("FAILED"));
    assertThat(deployments.now().status().error()).contains("bad value");
    assertThat(deployments.now().status().lastStableText()).contains("20s");

    apply("running", "20s", this::isStable);
    assertThat(jobs.runningValue()).isEqualTo("20s");

    apply("suspended", "20s", () -> deployments.lifecycle().equals("SUSPENDED"));
    assertThat(jobs.runningValue()).isEqualTo("none");

    apply("running", "30s", this::isStable);
    assertThat(jobs.runningValue()).isEqualTo("30s");
    assertThat(jobs.savepoints()).isEqualTo(3);
  }

  private boolean isStable() {
    DeploymentStatus status = deployments.now().status();
    return !deployments.now().hasNews()
        && deployments.lifecycle().equals("STABLE")
        && JobLook.RUNNING.equals(status.jobState())
        && status.error() == null;
  }

  private void apply(String state, String value, BooleanSupplier goal) {
    deployments.apply(state, value);
    goOn(goal);
  }

  private void goOn(BooleanSupplier goal) {
    for (int step = 0; step < MOST_STEPS; step++) {
      if (goal.getAsBoolean()) {
        return;
      }
      try {
        Duration unused = operator.step();
      } catch (Killer.Killed e) {
        startOperator();
      }
    }
    assertThat(goal.getAsBoolean())
        .as("%s, told %s", deployments.now().status().json(), deployments.told)
        .isTrue();
  }

  private void begin(Killer fate) {
    killer = fate;
    deployments = new FakeDeployments(fate);
    jobs = new FakeJobs(fate);
    startOperator();
  }

  private void startOperator() {
    Delays none = Delays.recorded().scaled(0);
    operator =
        new Worker(
            "default/counter",
            deployments,
            new Performer(deployments, jobs, Clock.systemUTC(), Duration.ZERO, false),
            none);
  }
}
