package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.tidekeeper.sandbox.kube.KubeApi;
import io.tidekeeper.sandbox.kube.Manifests;
import io.tidekeeper.sandbox.operator.FlinkDeploymentCrd;
import io.tidekeeper.sandbox.operator.StandInOperator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The subway job, deployed by a manifest, changes its policy as its FlinkDeployment says. */
@NullUnmarked
class PolicyByFlinkDeploymentIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String JAR = "local:///opt/flink/usrlib/tidekeeper-job.jar";
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir static Path folder;

  private static Lab lab;
  private static KubeApi api;
  private static StandInOperator operator;

  @BeforeAll
  static void start() throws IOException {
    System.setProperty(KubeApi.KUBECONFIG_PROPERTY, "");
    if (KubeApi.unavailableReason().isPresent()) {
      return;
    }
    lab = Lab.start(folder);
    Path crd = FlinkDeploymentCrd.writeTo(folder.resolve("crds"));
    api = KubeApi.in(folder.resolve("api")).manifests(crd).start();
    operator =
        StandInOperator.on(api.adminClient(), lab.flink)
            .namespace("default")
            .jar(JAR, builtJar())
            .option("execution.checkpointing.savepoint-dir", lab.flink.savepointDir())
            .start();
  }

  @BeforeEach
  void skipWithoutAControlPlane() {
    KubeApi.unavailableReason().ifPresent(Assumptions::abort);
  }

  @AfterAll
  static void stop() {
    System.clearProperty(KubeApi.KUBECONFIG_PROPERTY);
    if (api != null) {
      operator.close();
      api.close();
      lab.close();
    }
  }

  @Test
  void aWiderBoundAndABadOneAndTheOldOneLoseNoRecord() throws IOException {
    try (Stream stream = lab.stream(1)) {
      apply(stream, Stream.bounded("2s"));
      awaitStable();
      stream.send(0, "S1", 1_000);
      stream.send(0, "S1", 2_000);

      apply(stream, Stream.bounded("5s"));
      awaitStable();
      String second = status().at("/jobStatus/jobId").asText();
      stream.send(0, "S1", 3_000);
      stream.send(0, "S1", 13_000);
      // 5 s behind 13 s: the window to 10 s is still open.
      stream.send(0, "S1", 9_000);

      Map<String, String> bad = new TreeMap<>(Stream.bounded("5s"));
      bad.put("tidekeeper.source.tram.watermark.max-future-skew", "1h");
      apply(stream, bad);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(status().path("lifecycleState").asText()).isEqualTo("FAILED"));
      assertThat(status().path("error").asText()).contains("source.tram", "its sources are trips");

      apply(stream, Stream.bounded("5s"));
      awaitStable();
      assertThat(status().at("/jobStatus/jobId").asText()).isNotEqualTo(second);
      stream.send(0, "S1", 30_000);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(stream.committedResults()).containsExactly("S1@0=4", "S1@10000=1"));
      assertThat(stream.committedLate()).isEmpty();
    }
  }

  private static void apply(Stream stream, Map<String, String> policy) throws IOException {
    StringBuilder yaml =
        new StringBuilder(
            """
            apiVersion: flink.apache.org/v1beta1
            kind: FlinkDeployment
            metadata:
              name: subway
              namespace: default
            spec:
              flinkVersion: v2_2
              job:
                jarURI: %s
                entryClass: io.tidekeeper.job.pipeline.TidekeeperJob
                parallelism: 1
                upgradeMode: savepoint
              flinkConfiguration:
                execution.checkpointing.savepoint-dir: "s3://not-from-here/savepoints"
                high-availability.type: "kubernetes"
                taskmanager.numberOfTaskSlots: 1
            """
                .formatted(JAR));
    new TreeMap<>(stream.job(policy, 1).configuration())
        .forEach((key, value) -> yaml.append("    %s: \"%s\"\n".formatted(key, value)));
    Path file = Files.writeString(folder.resolve("subway.yaml"), yaml);
    assertThat(Manifests.apply(api.adminClient(), file)).hasSize(1);
  }

  private static void awaitStable() {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              JsonNode status = status();
              assertThat(status.path("observedGeneration").asLong(-1))
                  .as("%s", status)
                  .isEqualTo(resource().getMetadata().getGeneration());
              assertThat(
                      List.of(
                          status.path("lifecycleState").asText(),
                          status.path("jobManagerDeploymentStatus").asText(),
                          status.at("/jobStatus/state").asText()))
                  .as("%s", status)
                  .containsExactly("STABLE", "READY", "RUNNING");
            });
  }

  private static JsonNode status() {
    return JSON.valueToTree(resource().getAdditionalProperties().getOrDefault("status", Map.of()));
  }

  private static GenericKubernetesResource resource() {
    KubernetesClient client = api.adminClient();
    return client
        .genericKubernetesResources("flink.apache.org/v1beta1", "FlinkDeployment")
        .inNamespace("default")
        .withName("subway")
        .get();
  }

  private static Path builtJar() throws IOException {
    Path target = Path.of("").toAbsolutePath().resolveSibling("job").resolve("target");
    try (var jars = Files.newDirectoryStream(target, "*-all.jar")) {
      return jars.iterator().next();
    }
  }
}
