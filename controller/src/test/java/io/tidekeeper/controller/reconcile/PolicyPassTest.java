package io.tidekeeper.controller.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidekeeper.controller.kubernetes.WriteResult.Claim;
import io.tidekeeper.controller.kubernetes.WriteResult.FieldConflict;
import io.tidekeeper.controller.reconcile.PolicyPass.Result;
import io.tidekeeper.crds.TargetStatus;
import io.tidekeeper.crds.WatermarkPolicy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PolicyPassTest {

  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-05T06:00:00Z"), ZoneOffset.UTC);

  private final FakeCluster cluster = new FakeCluster();
  private final PolicyPass pass = pass(false);

  @Test
  void theStatusSaysWhatIsMeantBeforeTheTargetIsWritten() {
    cluster.deployment("job");

    WatermarkPolicy written = run(cluster.policy("policy", "job"));

    assertThat(cluster.log)
        .containsExactly(
            "status Preparing/Preparing Ready=True",
            "event Preparing of job",
            "finalizers [tidekeeper.io/rollout]",
            "apply job for policy");
    cluster.log.clear();
    run(written);
    assertThat(cluster.log)
        .containsExactly(
            "status Saving/OperatorPending Ready=True", "event OperatorPending of job");
  }

  @Test
  void whatWasDecidedFromAnOldReadingIsWrittenNowhere() {
    cluster.deployment("job");
    cluster.statusError = new KubernetesClientException("modified", 409, null);

    Result result = pass.run(cluster.policy("policy", "job"));

    assertThat(cluster.log).isEmpty();
    assertThat(result.written()).isNull();
    assertThat(result.again()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void aTargetIsNotWrittenWhileThePolicyCouldGoUnseen() {
    cluster.deployment("job");
    cluster.finalizerError = new KubernetesClientException("modified", 409, null);

    Result result = pass.run(cluster.policy("policy", "job"));

    assertThat(cluster.log)
        .containsExactly("status Preparing/Preparing Ready=True", "event Preparing of job");
    assertThat(result.written()).isNotNull();
    assertThat(result.again()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void aTargetThatIsDroppedUnderWayStaysUntilItsVerdictAndIsHeldSoLong() {
    cluster.deployment("job");
    WatermarkPolicy begun = run(run(cluster.policy("policy", "job")));
    cluster.deployed("job");
    WatermarkPolicy upgrading = run(begun);
    WatermarkPolicy dropped = cluster.naming(upgrading, "elsewhere");
    cluster.policies.set(0, dropped);

    Result still = pass.run(dropped);

    assertThat(still.targets()).containsExactlyInAnyOrder("elsewhere", "job");
    WatermarkPolicy next = cluster.policy("zulu", "job");
    assertThat(run(next).getStatus().targets())
        .extracting(TargetStatus::reason)
        .containsExactly("Conflicted");

    cluster.targets.remove("job");
    Result released = pass.run(Objects.requireNonNull(still.written()));

    assertThat(released.targets()).containsExactly("elsewhere");
    assertThat(Finalizers.of(Objects.requireNonNull(released.written()).getMetadata())).isEmpty();
  }

  @Test
  void anErrorStandsInTheStatusAndNothingRememberedIsLost() {
    cluster.deployment("job");
    cluster.applyError = new KubernetesClientException("etcd is away", 500, null);
    WatermarkPolicy policy = cluster.policy("policy", "job");

    assertThatThrownBy(() -> pass.run(policy)).isSameAs(cluster.applyError);

    assertThat(cluster.log)
        .containsExactly(
            "status Preparing/Preparing Ready=True",
            "event Preparing of job",
            "finalizers [tidekeeper.io/rollout]",
            "status Preparing/Preparing Ready=Unknown");
  }

  @Test
  void otherOwnersAreNamedAndTheNextTryWaitsForTheTargetToChange() {
    cluster.deployment("job");
    cluster.refusal = new FieldConflict(List.of(new Claim("tidekeeper.revision", "gitops")));
    WatermarkPolicy policy = run(cluster.policy("policy", "job"));
    cluster.log.clear();

    policy = run(policy);

    TargetStatus target = policy.getStatus().targets().get(0);
    assertThat(target.reason()).isEqualTo("FieldConflict");
    assertThat(target.message()).contains("tidekeeper.revision by gitops", "job");
    assertThat(cluster.log).noneMatch(line -> line.startsWith("apply"));
    cluster.log.clear();
    cluster.touch("job");
    cluster.refusal = null;
    run(policy);
    assertThat(cluster.log).contains("apply job for policy");
  }

  @Test
  void whereNothingHasChangedNothingIsWritten() {
    WatermarkPolicy policy = run(cluster.policy("policy", "missing"));
    cluster.log.clear();

    Result result = pass.run(policy);

    assertThat(cluster.log).isEmpty();
    assertThat(result.written()).isNull();
    assertThat(result.again()).isPositive().isLessThanOrEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void anotherHolderIsNamedAndOtherTargetsGoOn() {
    cluster.deployment("shared");
    cluster.deployment("own");
    cluster.policy("a-holder", "shared");

    WatermarkPolicy policy = run(cluster.policy("policy", "shared", "own"));

    assertThat(policy.getStatus().targets())
        .extracting(TargetStatus::reason)
        .containsExactly("Conflicted", "Preparing");
    assertThat(policy.getStatus().targets().get(0).message()).contains("transit/a-holder");
    assertThat(cluster.log).contains("apply own for policy").doesNotContain("apply shared");
  }

  @Test
  void theBrakeAtTheControllerHolds() {
    cluster.deployment("job");

    Result result = pass(true).run(cluster.policy("policy", "job"));

    assertThat(result.written()).isNotNull();
    assertThat(cluster.log).contains("event Paused of job").doesNotContain("apply job for policy");
  }

  @Test
  void aJobThatDoesNotRunIsNotAsked() {
    cluster.deployment("job");

    run(cluster.policy("policy", "job"));

    assertThat(cluster.asked).isEmpty();
  }

  @Test
  void aJobThatStartsOnAChangeIsAskedOnceItsJobManagerIsReady() {
    cluster.deployment("job");
    WatermarkPolicy policy = run(run(cluster.policy("policy", "job")));

    cluster.operatorSays("job", "DEPLOYING", "RECONCILING");
    pass.run(policy);
    assertThat(cluster.asked).isEmpty();

    cluster.operatorSays("job", "READY", "CREATED");
    pass.run(policy);
    assertThat(cluster.asked).containsExactly("job");
  }

  private PolicyPass pass(boolean paused) {
    return new PolicyPass(cluster, cluster, Telemetry.NONE, CLOCK, paused);
  }

  private WatermarkPolicy run(WatermarkPolicy policy) {
    return Objects.requireNonNull(pass.run(policy).written());
  }
}
