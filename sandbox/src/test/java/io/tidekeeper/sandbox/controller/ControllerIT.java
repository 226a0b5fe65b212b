package io.tidekeeper.sandbox.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.tidekeeper.controller.app.TidekeeperController;
import io.tidekeeper.controller.kubernetes.TargetWriter;
import io.tidekeeper.controller.rollout.Annotations;
import io.tidekeeper.controller.rollout.Conditions;
import io.tidekeeper.crds.PolicyCondition;
import io.tidekeeper.crds.TargetStatus;
import io.tidekeeper.crds.WatermarkPolicy;
import io.tidekeeper.sandbox.LocalPorts;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The controller on a real API server, under its own identity and rights; nobody runs jobs. */
@NullUnmarked
class ControllerIT {

  private static final String BOUND = "tidekeeper.default.watermark.bounded.max-out-of-orderness";

  private static final String FINALIZER = "tidekeeper.io/rollout";

  private static Cluster cluster;
  private static KubernetesClient client;
  private static TidekeeperController controller;
  private String namespace;

  @BeforeAll
  static void start(@TempDir Path folder) {
    cluster = Cluster.start(folder);
    if (cluster != null) {
      client = cluster.controllerClient();
      controller = startController();
    }
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      controller.close();
      client.close();
      cluster.close();
    }
  }

  @BeforeEach
  void fresh() {
    Cluster.assume();
    namespace = cluster.newNamespace();
  }

  @Test
  void aNewDeploymentStartsOnThePolicyWhicheverComesFirst() {
    cluster.policy(namespace, "early", "5s", "first");
    TargetStatus waiting = cluster.awaitReason(namespace, "early", "TargetNotFound");
    assertThat(waiting.message()).contains("no FlinkDeployment first");
    cluster.deploy(namespace, "first", Map.of("rest.port", "8081"));
    cluster.deploy(namespace, "second", Map.of());
    cluster.policy(namespace, "late", "6s", "second");

    cluster.awaitTarget(namespace, "early", target -> "Saving".equals(target.state()));
    cluster.awaitTarget(namespace, "late", target -> "Saving".equals(target.state()));

    assertThat(cluster.configuration(namespace, "first"))
        .containsEntry("rest.port", "8081")
        .containsEntry(BOUND, "5s");
    assertThat(cluster.configuration(namespace, "second")).containsEntry(BOUND, "6s");
    assertThat(cluster.deployment(namespace, "first").getMetadata().getAnnotations())
        .containsEntry(Annotations.HOLDER, "early");
    assertThat(cluster.condition(namespace, "early", Conditions.APPLIED).status())
        .isEqualTo("False");
    assertThat(cluster.condition(namespace, "early", Conditions.RECONCILING).status())
        .isEqualTo("True");
    await()
        .atMost(Cluster.PATIENCE)
        .untilAsserted(
            () ->
                assertThat(cluster.events(namespace, "early"))
                    .containsExactly(
                        "Normal TargetNotFound", "Normal Preparing", "Normal OperatorPending"));
  }

  @Test
  void aKeyOfSomebodyElseIsNamedAndNothingOverwritten() {
    cluster.deploy(namespace, "job", Map.of());
    cluster.applyAs("gitops", only("job", Map.of(BOUND, "30s")));

    cluster.policy(namespace, "policy", "5s", "job");

    TargetStatus conflict = cluster.awaitReason(namespace, "policy", "FieldConflict");
    assertThat(conflict.message()).contains(BOUND, "gitops", "job");
    assertThat(cluster.configuration(namespace, "job")).isEqualTo(Map.of(BOUND, "30s"));
    assertThat(managers("job")).doesNotContain(TargetWriter.MANAGER);
    assertThat(cluster.condition(namespace, "policy", Conditions.READY))
        .satisfies(
            ready -> {
              assertThat(ready.status()).isEqualTo("False");
              assertThat(ready.reason()).isEqualTo("FieldConflict");
            });
    await()
        .atMost(Cluster.PATIENCE)
        .untilAsserted(
            () ->
                assertThat(cluster.events(namespace, "policy")).contains("Warning FieldConflict"));
  }

  @Test
  void theSecondPolicyOnATargetNamesTheHolderAndFollowsWhenItGoes() {
    cluster.deploy(namespace, "job", Map.of());
    cluster.policy(namespace, "zulu", "5s", "job");
    cluster.awaitTarget(namespace, "zulu", target -> "Saving".equals(target.state()));

    // Same second, earlier name: the incumbent keeps it.
    cluster.policy(namespace, "alpha", "9s", "job");

    TargetStatus conflicted = cluster.awaitReason(namespace, "alpha", "Conflicted");
    assertThat(conflicted.message()).contains(namespace + "/zulu");
    assertThat(cluster.configuration(namespace, "job")).containsEntry(BOUND, "5s");

    cluster.admin().resource(cluster.policy(namespace, "zulu")).delete();

    cluster.awaitTarget(namespace, "alpha", target -> "Saving".equals(target.state()));
    assertThat(cluster.configuration(namespace, "job")).containsEntry(BOUND, "9s");
    assertThat(cluster.deployment(namespace, "job").getMetadata().getAnnotations())
        .containsEntry(Annotations.HOLDER, "alpha");
  }

  @Test
  void aPolicyThatLeavesATargetHandsItOn() {
    cluster.deploy(namespace, "job", Map.of());
    cluster.policy(namespace, "first", "5s", "job");
    cluster.awaitTarget(namespace, "first", target -> "Saving".equals(target.state()));
    cluster.policy(namespace, "second", "9s", "job");
    cluster.awaitReason(namespace, "second", "Conflicted");

    cluster.change(namespace, "first", Cluster.spec("5s", List.of("elsewhere"), ""));

    cluster.awaitTarget(namespace, "second", target -> "Saving".equals(target.state()));
  }

  @Test
  void everyBrakeHoldsAndSaysWhereItStands() {
    cluster.admin().namespaces().withName(namespace).edit(ControllerIT::paused);
    cluster.deploy(namespace, "job", Map.of());
    cluster.policy(namespace, "policy", "5s", "job");

    TargetStatus braked = cluster.awaitReason(namespace, "policy", "Paused");

    assertThat(braked.message()).contains("the namespace carries the annotation");
    assertThat(cluster.condition(namespace, "policy", Conditions.PAUSED).status())
        .isEqualTo("True");
    assertThat(cluster.condition(namespace, "policy", Conditions.READY).status()).isEqualTo("True");
    cluster.annotate(namespace, "policy", Annotations.PAUSED, "true");
    await()
        .atMost(Cluster.PATIENCE)
        .untilAsserted(
            () ->
                assertThat(cluster.condition(namespace, "policy", Conditions.PAUSED).message())
                    .contains("the policy carries the annotation", "the namespace carries"));
    assertThat(cluster.configuration(namespace, "job")).isEmpty();
  }

  @Test
  void aSpecThatMeansNoPolicyIsNotAccepted() {
    cluster.deploy(namespace, "job", Map.of());
    cluster.create(
        namespace,
        "policy",
        """
        targetRefs: [{name: job}]
        watermark:
          type: Schedule
          schedule:
            timeZone: Mars/Olympus
            clock: EventTime
            default: 5s
            windows: [{days: [Mon], from: "07:00", to: "09:00", maxOutOfOrderness: 30s}]
        """);

    cluster.awaitReason(namespace, "policy", "SpecNotAccepted");

    PolicyCondition accepted = cluster.condition(namespace, "policy", Conditions.ACCEPTED);
    assertThat(accepted.status()).isEqualTo("False");
    assertThat(accepted.message()).contains("spec.watermark.schedule.timeZone", "Mars/Olympus");
  }

  @Test
  void aControllerThatStartsAnewGoesOnAndWritesNothingWhereNothingHasChanged() {
    cluster.deploy(namespace, "job", Map.of());
    cluster.policy(namespace, "policy", "5s", "job");
    cluster.awaitTarget(namespace, "policy", target -> "Saving".equals(target.state()));
    cluster.policy(namespace, "waits", "5s", "missing");
    cluster.awaitReason(namespace, "waits", "TargetNotFound");

    controller.close();
    String policyBefore = version(cluster.policy(namespace, "policy"));
    String targetBefore = cluster.deployment(namespace, "job").getMetadata().getResourceVersion();
    String waitsBefore = version(cluster.policy(namespace, "waits"));
    controller = startController();
    // The last of them has had its pass when a newcomer has.
    cluster.policy(namespace, "newcomer", "5s", "missing");
    cluster.awaitReason(namespace, "newcomer", "TargetNotFound");

    assertThat(version(cluster.policy(namespace, "policy"))).isEqualTo(policyBefore);
    assertThat(version(cluster.policy(namespace, "waits"))).isEqualTo(waitsBefore);
    assertThat(cluster.deployment(namespace, "job").getMetadata().getResourceVersion())
        .isEqualTo(targetBefore);
  }

  @Test
  void aPolicyThatIsDeletedUnderWayGoesWithTheVerdict() {
    upgrading("policy", List.of("job"));
    assertThat(finalizers("policy")).containsExactly(FINALIZER);

    cluster.admin().resource(cluster.policy(namespace, "policy")).delete();
    change("policy", Cluster.spec("9s", List.of("job"), ""));
    failed("job");
    await()
        .atMost(Cluster.PATIENCE)
        .untilAsserted(() -> assertThat(cluster.configuration(namespace, "job")).isEmpty());
    WatermarkPolicy held = cluster.policy(namespace, "policy");
    assertThat(held.isMarkedForDeletion()).isTrue();
    assertThat(held.getStatus().targets().get(0).state()).isEqualTo("RollingBack");
    runs("job");

    await().atMost(Cluster.PATIENCE).until(() -> cluster.policy(namespace, "policy") == null);
    assertThat(cluster.configuration(namespace, "job")).as("nothing new was begun").isEmpty();
  }

  @Test
  void aPolicyThatIsDeletedUnderWayWhileNobodyWatchesGoesWithTheVerdict() {
    upgrading("policy", List.of("job"));
    controller.close();
    cluster.admin().resource(cluster.policy(namespace, "policy")).delete();
    failed("job");
    assertThat(cluster.policy(namespace, "policy").isMarkedForDeletion()).isTrue();

    controller = startController();

    await()
        .atMost(Cluster.PATIENCE)
        .untilAsserted(() -> assertThat(cluster.configuration(namespace, "job")).isEmpty());
    runs("job");
    await().atMost(Cluster.PATIENCE).until(() -> cluster.policy(namespace, "policy") == null);
  }

  @Test
  void aTargetThatIsDroppedUnderWayIsReleasedWithItsVerdict() {
    upgrading("policy", List.of("job"));
    change("policy", Cluster.spec("5s", List.of("elsewhere"), ""));
    cluster.awaitReason(namespace, "policy", "TargetNotFound");
    cluster.policy(namespace, "next", "9s", "job");
    assertThat(cluster.awaitReason(namespace, "next", "Conflicted").message())
        .contains(namespace + "/policy");
    assertThat(targets("policy")).containsExactly("elsewhere", "job");
    assertThat(finalizers("policy")).containsExactly(FINALIZER);

    failed("job");
    await()
        .atMost(Cluster.PATIENCE)
        .untilAsserted(() -> assertThat(cluster.configuration(namespace, "job")).isEmpty());
    runs("job");

    await()
        .atMost(Cluster.PATIENCE)
        .untilAsserted(() -> assertThat(targets("policy")).containsExactly("elsewhere"));
    await()
        .atMost(Cluster.PATIENCE)
        .untilAsserted(() -> assertThat(finalizers("policy")).isEmpty());
    // Its turn has come; nobody answers for the job here.
    cluster.awaitReason(namespace, "next", "JobUnreachable");
  }

  @Test
  void aPolicyWithNothingUnderWayIsDeletedAtOnceAndNothingIsWritten() {
    cluster.deploy(namespace, "job", Map.of());
    cluster.policy(namespace, "policy", "5s", "job");
    cluster.awaitTarget(namespace, "policy", target -> "Saving".equals(target.state()));
    Map<String, String> options = cluster.configuration(namespace, "job");
    cluster.policy(namespace, "waits", "5s", "missing");
    cluster.awaitReason(namespace, "waits", "TargetNotFound");
    assertThat(finalizers("waits")).isEmpty();

    cluster.admin().resource(cluster.policy(namespace, "waits")).delete();
    assertThat(cluster.policy(namespace, "waits")).isNull();

    // The operator has not looked: with no job there is no verdict either.
    cluster.admin().resource(cluster.policy(namespace, "policy")).delete();
    await().atMost(Cluster.PATIENCE).until(() -> cluster.policy(namespace, "policy") == null);
    assertThat(cluster.configuration(namespace, "job")).isEqualTo(options);
  }

  /** A policy whose first change of the job the operator has taken over. */
  private void upgrading(String policy, List<String> targets) {
    cluster.deploy(namespace, "job", Map.of());
    cluster.create(namespace, policy, Cluster.spec("5s", targets, ""));
    cluster.awaitTarget(namespace, policy, target -> "Saving".equals(target.state()));
    operatorSays("job", "DEPLOYED", "DEPLOYING", "RECONCILING");
    cluster.awaitTarget(namespace, policy, target -> "Upgrading".equals(target.state()));
  }

  /** Changes a spec while the controller writes the status: the server refuses what is too old. */
  private void change(String policy, String spec) {
    await()
        .atMost(Cluster.PATIENCE)
        .ignoreExceptionsMatching(
            e -> e instanceof KubernetesClientException refused && refused.getCode() == 409)
        .untilAsserted(() -> cluster.change(namespace, policy, spec));
  }

  private void failed(String name) {
    operatorSays(name, "FAILED", "READY", "FAILED");
  }

  private void runs(String name) {
    operatorSays(name, "STABLE", "READY", "RUNNING");
  }

  /** In the place of an operator: it has acted on the spec as it stands. */
  private void operatorSays(String name, String lifecycle, String jobManager, String jobState) {
    GenericKubernetesResource target = cluster.deployment(namespace, name);
    Map<String, Object> job =
        Map.of("state", "running", "upgradeMode", "savepoint", "autoscalerResetNonce", 0);
    String reconciled =
        Serialization.asJson(
            Map.of(
                "spec",
                Map.of("flinkConfiguration", cluster.configuration(namespace, name), "job", job)));
    target.setAdditionalProperty(
        "status",
        Map.of(
            "observedGeneration",
            target.getMetadata().getGeneration(),
            "lifecycleState",
            lifecycle,
            "jobManagerDeploymentStatus",
            jobManager,
            "jobStatus",
            Map.of("state", jobState, "jobId", "0".repeat(32)),
            "reconciliationStatus",
            Map.of("state", "DEPLOYED", "lastReconciledSpec", reconciled)));
    target.getMetadata().setResourceVersion(null);
    cluster.admin().resource(target).updateStatus();
  }

  private List<String> finalizers(String policy) {
    return Objects.requireNonNull(cluster.policy(namespace, policy)).getMetadata().getFinalizers();
  }

  private List<String> targets(String policy) {
    return Objects.requireNonNull(cluster.policy(namespace, policy)).getStatus().targets().stream()
        .map(TargetStatus::name)
        .toList();
  }

  @Test
  void healthAndMetricsAreServed() throws Exception {
    assertThat(get("/healthz/live")).isEqualTo("ok\n");
    await().atMost(Cluster.PATIENCE).until(() -> get("/healthz/ready").equals("ok\n"));
    cluster.policy(namespace, "policy", "5s", "missing");
    cluster.awaitReason(namespace, "policy", "TargetNotFound");

    await()
        .atMost(Cluster.PATIENCE)
        .untilAsserted(
            () ->
                assertThat(get("/metrics"))
                    .contains("tidekeeper_targets{state=\"Waiting\"}")
                    .contains("tidekeeper_events_total{reason=\"TargetNotFound\"}"));
  }

  private static String get(String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + controller.httpPort() + path))
                .build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private static TidekeeperController startController() {
    return cluster.controller(client, Cluster.settings("http://127.0.0.1:" + LocalPorts.free()));
  }

  private static Namespace paused(Namespace namespace) {
    namespace.getMetadata().getAnnotations().put(Annotations.PAUSED, "true");
    return namespace;
  }

  private static String version(WatermarkPolicy policy) {
    return Objects.requireNonNull(policy).getMetadata().getResourceVersion();
  }

  private List<String> managers(String name) {
    return cluster.deployment(namespace, name).getMetadata().getManagedFields().stream()
        .map(entry -> entry.getManager())
        .toList();
  }

  private GenericKubernetesResource only(String name, Map<String, String> options) {
    return new GenericKubernetesResourceBuilder()
        .withApiVersion("flink.apache.org/v1beta1")
        .withKind("FlinkDeployment")
        .withNewMetadata()
        .withName(name)
        .withNamespace(namespace)
        .endMetadata()
        .addToAdditionalProperties("spec", Map.of("flinkConfiguration", options))
        .build();
  }
}
