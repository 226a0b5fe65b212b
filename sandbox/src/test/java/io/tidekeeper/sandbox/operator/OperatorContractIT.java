package io.tidekeeper.sandbox.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidekeeper.sandbox.flink.FlinkCluster;
import io.tidekeeper.sandbox.flink.JobRef;
import io.tidekeeper.sandbox.kube.KubeApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;

/**
 * The stand-in goes through the same statuses, and tells the same Events, as operator 1.15.0 when
 * it was recorded. The scenarios follow each other on one object, as they did there.
 */
@NullUnmarked
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@ExtendWith(OperatorContractIT.NothingAfterAFailure.class)
class OperatorContractIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String NAMESPACE = "default";

  @TempDir static Path folder;

  private static KubeApi api;
  private static FlinkCluster flink;
  private static Recording recording;
  private static StandInOperator operator;
  private static Owner owner;

  @BeforeAll
  static void start() {
    System.setProperty(KubeApi.KUBECONFIG_PROPERTY, "");
    if (KubeApi.unavailableReason().isPresent()) {
      return;
    }
    Path crd = FlinkDeploymentCrd.writeTo(folder.resolve("crds"));
    api = KubeApi.in(folder.resolve("api")).manifests(crd).start();
    flink = FlinkCluster.in(folder.resolve("flink")).start();
    recording = new Recording(api.adminClient(), NAMESPACE);
    owner =
        new Owner(
            api.adminClient(),
            NAMESPACE,
            "counter",
            Map.of(
                "execution.checkpointing.interval",
                "1s",
                "execution.checkpointing.savepoint-dir",
                savepoints().toUri().toString(),
                "high-availability.type",
                "kubernetes",
                Looks.KEY,
                "10s"));
    startOperator(false);
  }

  @BeforeEach
  void newScenario() {
    KubeApi.unavailableReason().ifPresent(Assumptions::abort);
    recording.startScenario();
  }

  @AfterAll
  static void stop() {
    System.clearProperty(KubeApi.KUBECONFIG_PROPERTY);
    if (api != null) {
      operator.close();
      recording.close();
      flink.close();
      api.close();
    }
  }

  @Test
  @Order(1)
  void firstDeploy() {
    owner.apply("running");

    assertFollows("first-deploy");
  }

  @Test
  @Order(2)
  void upgrade() {
    owner.set("30s");

    assertFollows("upgrade");
  }

  @Test
  @Order(3)
  void badValueAndBack() {
    owner.set("not-a-duration");
    awaitLook(look -> look.contains(" FAILED DEPLOYED "));
    assertThat(error()).contains("Could not parse value 'not-a-duration'", "SerializedThrowable");

    owner.set("30s");

    assertFollows("bad-value");
  }

  @Test
  @Order(4)
  void savepointBlockedAndBack() throws IOException {
    long before = counted();
    Path aside = savepoints().resolveSibling("aside");
    Files.move(savepoints(), aside);
    Files.createFile(savepoints());
    owner.set("45s");
    // Twice: it is tried again, the error gone for a moment.
    await()
        .atMost(PATIENCE)
        .until(
            () -> recording.looks().stream().filter(l -> l.contains("(Savepoint Error)")).count(),
            count -> count >= 2);

    owner.set("30s");

    assertFollows("savepoint-blocked");
    Files.delete(savepoints());
    Files.move(aside, savepoints());
    awaitCountedBeyond(before);
  }

  @Test
  @Order(5)
  void suspendedAndRunningAgain() {
    long before = counted();
    owner.apply("suspended");
    awaitLook(look -> look.contains(" SUSPENDED "));
    assertThat(flink.jobs()).isEmpty();
    owner.set("20s");
    awaitEvents("SpecChanged", 2);

    owner.apply("running");

    assertFollows("suspended");
    assertThat(counted()).as("the first count of the new job").isGreaterThan(before);
  }

  @Test
  @Order(6)
  void operatorKilled() {
    owner.set("25s");
    awaitLook(look -> look.contains(" UPGRADING "));
    operator.close();

    startOperator(false);

    assertFollows("operator-killed");
  }

  @Test
  @Order(7)
  void aTransientErrorOnTheWayChangesNothingElse() {
    operator.close();
    startOperator(true);
    Golden golden = new Golden("operator-killed");

    owner.set("20s");

    awaitLook(look -> look.contains("(Job Not Found)"));
    List<String> other = golden.looks().stream().map(OperatorContractIT::otherWayRound).toList();
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(Looks.required(recording.looks()))
                    .containsExactlyElementsOf(Looks.required(other)));
  }

  @Test
  @Order(8)
  void operatorKilledWhileItStopsTheJob() {
    owner.set("30s");
    await()
        .atMost(PATIENCE)
        .until(() -> String.join(",", recording.events()).contains("Suspended"));
    operator.close();
    assertThat(recording.looks())
        .allMatch(look -> look.contains(" STABLE ") || look.contains("UPG"));

    startOperator(false);

    awaitLook(look -> look.contains("gen+1 obs+1 STABLE") && look.contains("jm READY job RUNNING"));
    List<String> looks = recording.looks();
    assertThat(looks.get(looks.size() - 1)).contains("id#1 from savepoint#1", "started#1");
    assertThat(flink.jobs()).hasSize(1);
  }

  @Test
  @Order(9)
  void forbiddenKeyAndBack() {
    owner.option("kubernetes.cluster-id", "other");
    owner.apply("running");
    awaitLook(look -> look.contains("error ValidationException"));
    owner.set("33s");
    awaitEvents("ValidationError", 2);
    owner.set("30s");
    awaitEvents("ValidationError", 3);
    owner.option("kubernetes.cluster-id", null);

    owner.apply("running");

    assertFollows("validation-error");
  }

  @Test
  @Order(10)
  void deletedAndGone() {
    owner.delete();

    await().atMost(PATIENCE).until(() -> owner.read() == null);
    assertThat(flink.jobs()).isEmpty();
    assertThat(recording.events()).containsExactly("Normal Cleanup Operator");
  }

  private static void assertFollows(String scenario) {
    Golden golden = new Golden(scenario);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(Looks.required(recording.looks()))
                    .containsExactlyElementsOf(Looks.required(golden.looks())));
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(recording.events()).containsExactlyElementsOf(golden.events()));
  }

  /** 20 s to 25 s was recorded, 25 s to 20 s is the same to tell. */
  private static String otherWayRound(String look) {
    return look.replace("/20s", "/x").replace("/25s", "/20s").replace("/x", "/25s");
  }

  private static void awaitEvents(String reason, int count) {
    await()
        .atMost(PATIENCE)
        .until(() -> recording.events().stream().filter(e -> e.contains(reason)).count() == count);
  }

  private static void awaitLook(Predicate<String> wanted) {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              List<String> looks = recording.looks();
              return !looks.isEmpty() && wanted.test(looks.get(looks.size() - 1));
            });
  }

  private static void startOperator(boolean transientErrors) {
    operator =
        StandInOperator.on(api.adminClient(), flink)
            .classPath(Owner.JAR)
            .transientErrors(transientErrors)
            .start();
  }

  private static String error() {
    return new DeploymentStatus(
            Json.MAPPER.<JsonNode>valueToTree(owner.read().getAdditionalProperties().get("status")))
        .error();
  }

  /**
   * How far the one job has counted, as far as is known; metrics over REST are some seconds old.
   */
  private static long counted() {
    return awaitCountedBeyond(0);
  }

  /** Waits until the job has counted further. */
  private static long awaitCountedBeyond(long before) {
    JobRef job = flink.jobs().get(0);
    return await()
        .atMost(PATIENCE)
        .until(
            () ->
                job.vertexMetrics("counter.*counted").stream()
                    .mapToLong(metric -> (long) metric.number())
                    .max()
                    .orElse(0),
            counted -> counted > before);
  }

  private static Path savepoints() {
    return folder.resolve("flink").resolve("upgrades").toAbsolutePath();
  }

  /** After a failure the object is not as the next scenario has to find it. */
  static final class NothingAfterAFailure
      implements BeforeTestExecutionCallback, AfterTestExecutionCallback {
    private boolean failed;

    @Override
    public void beforeTestExecution(ExtensionContext context) {
      assumeFalse(failed, "an earlier scenario has failed");
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
      failed |= context.getExecutionException().isPresent();
    }
  }
}
