package io.tidekeeper.sandbox.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.tidekeeper.sandbox.flink.FlinkCluster;
import io.tidekeeper.sandbox.flink.JobRef;
import io.tidekeeper.sandbox.kube.KubeApi;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.flink.api.common.JobID;
import org.assertj.core.groups.Tuple;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that fail, wait or vanish keep their state under the stand-in. */
@NullUnmarked
class OperatorFailuresIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String NAMESPACE = "default";
  private static final String BREAKS = "60s";

  @TempDir static Path folder;

  private static KubeApi api;

  private FlinkCluster flink;
  private StandInOperator operator;
  private Owner owner;
  private Path home;

  @BeforeAll
  static void startApi() {
    System.setProperty(KubeApi.KUBECONFIG_PROPERTY, "");
    if (KubeApi.unavailableReason().isEmpty()) {
      Path crd = FlinkDeploymentCrd.writeTo(folder.resolve("crds"));
      api = KubeApi.in(folder.resolve("api")).manifests(crd).start();
    }
  }

  @AfterAll
  static void stopApi() {
    System.clearProperty(KubeApi.KUBECONFIG_PROPERTY);
    if (api != null) {
      api.close();
    }
  }

  @BeforeEach
  void startOperator(TestInfo test) {
    KubeApi.unavailableReason().ifPresent(Assumptions::abort);
    home = folder.resolve(test.getTestMethod().orElseThrow().getName());
    flink = FlinkCluster.in(home).taskManagers(1, 1).start();
    operator = operator();
  }

  @AfterEach
  void stopOperator() {
    if (owner != null) {
      owner.delete();
      await().atMost(PATIENCE).until(() -> owner.read() == null);
    }
    if (operator != null) {
      operator.close();
      flink.close();
    }
  }

  @Test
  void aJobInACrashLoopGivesWayFromItsNewestCheckpoint() {
    owner = owner("looping", Map.of("restart-strategy.exponential-delay.initial-backoff", "1 min"));
    long before = runOn("10s");
    owner.set(BREAKS);
    awaitStatus(s -> isJob(s, "RESTARTING"));
    String broken = status().jobId();

    owner.set("10s");

    awaitStable("10s");
    assertThat(status().lastReconciled().spec().upgradeMode()).isEqualTo("last-state");
    assertThat(status().upgradeSavepoint()).contains("savepoint-");
    assertThat(status().jobId()).isNotEqualTo(broken);
    assertThat(counted()).isGreaterThan(before);
  }

  @Test
  void aJobThatFailsForGoodIsFailedAndComesBackFromItsNewestState() {
    owner = owner("failing", Map.of("restart-strategy.type", "none"));
    long before = runOn("10s");
    owner.set(BREAKS);
    awaitStatus(s -> isJob(s, "FAILED"));
    assertThat(lifecycle()).isEqualTo("FAILED");
    assertThat(status().error()).contains("SerializedThrowable", "broken on purpose");
    assertThat(status().upgradeSavepoint()).isNotNull();

    owner.set("10s");

    awaitStable("10s");
    assertThat(counted()).isGreaterThan(before);
  }

  @Test
  void aJobWithoutSlotsIsCreatedAndRunsWhenThereAreSome() {
    owner = owner("first", Map.of());
    runOn("10s");
    Owner second = owner("second", Map.of());
    operator.close();
    operator = operator(Duration.ofSeconds(2));
    second.apply("running");
    await().atMost(PATIENCE).until(() -> isJob(status(second), "CREATED"));
    assertThat(status(second).json().path("lifecycleState").asText()).isEqualTo("DEPLOYED");

    owner.delete();

    await().atMost(PATIENCE).until(() -> isJob(status(second), "RUNNING"));
    assertThat(status(second).json().path("lifecycleState").asText()).isEqualTo("STABLE");
    second.delete();
    await().atMost(PATIENCE).until(() -> second.read() == null);
  }

  @Test
  void jobsComeBackFromTheirCheckpointsWhenFlinkAndOperatorWereLost() {
    owner = owner("outliving", Map.of());
    long before = runOn("10s");
    String jobId = status().jobId();
    JobRef job = job(status());
    await().atMost(PATIENCE).until(() -> job.completedCheckpoints() > 1);
    operator.close();
    flink.close();

    flink = FlinkCluster.in(home).taskManagers(1, 1).start();
    operator = operator();

    await().atMost(PATIENCE).until(() -> flink.find(JobID.fromHexString(jobId)).isPresent());
    awaitStable("10s");
    assertThat(status().jobId()).isEqualTo(jobId);
    assertThat(counted()).isGreaterThan(before);
  }

  @Test
  void recreatedUnderTheNameItStartsEmpty() {
    owner = owner("again", Map.of());
    runOn("10s");
    String uid = owner.read().getMetadata().getUid();
    owner.set("20s");
    awaitStable("20s");
    owner.delete();
    await().atMost(PATIENCE).until(() -> owner.read() == null);

    owner = owner("again", Map.of());
    owner.apply("running");

    awaitStable("10s");
    assertThat(owner.read().getMetadata().getUid()).isNotEqualTo(uid);
    assertThat(status().upgradeSavepoint()).isNull();
    assertThat(status().lastReconciled().firstDeployment()).isTrue();
  }

  @Test
  void theOperatorOwnsFinalizerAndStatusAndNothingElse() {
    owner = owner("owned", Map.of());
    runOn("10s");

    assertThat(owner.read().getMetadata().getFinalizers())
        .containsExactly("flinkdeployments.flink.apache.org/finalizer");
    assertThat(owner.read().getMetadata().getGeneration()).isEqualTo(1);
    assertThat(owner.read().getMetadata().getManagedFields())
        .extracting(
            ManagedFieldsEntry::getManager,
            ManagedFieldsEntry::getOperation,
            ManagedFieldsEntry::getSubresource)
        .containsExactlyInAnyOrder(
            Tuple.tuple("platform", "Apply", null),
            Tuple.tuple("fabric8-kubernetes-client", "Update", null),
            Tuple.tuple("fabric8-kubernetes-client", "Update", "status"));
    assertThat(status().json().at("/conditions/0/reason").asText()).isEqualTo("Running");
  }

  private Owner owner(String name, Map<String, String> more) {
    Map<String, String> options = new TreeMap<>(more);
    options.put("execution.checkpointing.interval", "500ms");
    options.put(Looks.KEY, "10s");
    return new Owner(api.adminClient(), NAMESPACE, name, options);
  }

  private StandInOperator operator() {
    return operator(Delays.fast().settle());
  }

  private StandInOperator operator(Duration settle) {
    Delays fast = Delays.fast();
    return StandInOperator.on(api.adminClient(), flink)
        .classPath(Owner.JAR)
        .delays(
            new Delays(
                fast.jobManagerDown(),
                fast.jobManagerUp(),
                fast.restReady(),
                Duration.ofSeconds(2),
                settle))
        .start();
  }

  /** Deploys, waits for results, and says how many. */
  private long runOn(String value) {
    owner.apply("running");
    awaitStable(value);
    return counted();
  }

  private void awaitStable(String value) {
    awaitStatus(
        s ->
            s.observedGeneration() == owner.read().getMetadata().getGeneration()
                && isJob(s, "RUNNING")
                && value.equals(s.lastReconciled().spec().configuration().get(Looks.KEY)));
    assertThat(lifecycle()).isEqualTo("STABLE");
  }

  private void awaitStatus(Predicate<DeploymentStatus> wanted) {
    await().atMost(PATIENCE).until(this::status, wanted);
  }

  private static boolean isJob(DeploymentStatus status, String state) {
    return state.equals(status.jobState());
  }

  private String lifecycle() {
    return status().json().path("lifecycleState").asText();
  }

  private DeploymentStatus status() {
    return status(owner);
  }

  private static DeploymentStatus status(Owner of) {
    GenericKubernetesResource resource = of.read();
    JsonNode json = Json.MAPPER.valueToTree(resource.getAdditionalProperties().get("status"));
    return new DeploymentStatus(json == null ? Json.object() : json);
  }

  private JobRef job(DeploymentStatus status) {
    return flink.find(JobID.fromHexString(String.valueOf(status.jobId()))).orElseThrow();
  }

  private long counted() {
    JobRef job = job(status());
    return await()
        .atMost(PATIENCE)
        .until(
            () ->
                job.vertexMetrics("counter.*counted").stream()
                    .mapToLong(metric -> (long) metric.number())
                    .max()
                    .orElse(0),
            counted -> counted > 0);
  }
}
