package io.tidekeeper.sandbox.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.tidekeeper.controller.app.ControllerSettings;
import io.tidekeeper.controller.app.Main;
import io.tidekeeper.controller.app.TidekeeperController;
import io.tidekeeper.sandbox.LocalPorts;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The controller as a program, and two of them. */
@NullUnmarked
class ReplicasIT {

  private static final String SYSTEM = "tidekeeper-system";
  private static final Duration LEASE = Duration.ofSeconds(7);

  private static Cluster cluster;

  @BeforeAll
  static void start(@TempDir Path folder) {
    cluster = Cluster.start(folder);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @BeforeEach
  void assume() {
    Cluster.assume();
  }

  @Test
  void oneOfTwoActsAndTheOtherTakesOver() {
    String namespace = cluster.newNamespace();
    cluster.deploy(namespace, "job", Map.of());
    try (KubernetesClient firstClient = cluster.controllerClient();
        KubernetesClient secondClient = cluster.controllerClient()) {
      TidekeeperController first = cluster.controller(firstClient, replica("first"));
      await().atMost(Cluster.PATIENCE).until(() -> "first".equals(leader()));
      TidekeeperController second = cluster.controller(secondClient, replica("second"));
      try (second) {
        await().atMost(Cluster.PATIENCE).until(() -> first.isReady() && second.isReady());
        cluster.policy(namespace, "policy", "5s", "job");
        cluster.awaitTarget(namespace, "policy", target -> "Saving".equals(target.state()));
        assertThat(leader()).isEqualTo("first");

        first.close();

        await().atMost(Cluster.PATIENCE).until(() -> "second".equals(leader()));
        cluster.policy(namespace, "later", "5s", "missing");
        cluster.awaitReason(namespace, "later", "TargetNotFound");
      }
    }
  }

  @Test
  void theProgramLogsJsonIsReadyAndEndsOnASignal() throws Exception {
    int port = LocalPorts.free();
    ProcessBuilder builder =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "--bind-address",
                "127.0.0.1",
                "--port",
                String.valueOf(port),
                "--lease-namespace",
                SYSTEM,
                "--lease-name",
                "of-the-program")
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("KUBECONFIG", cluster.controllerKubeconfig().toString());
    builder.environment().put("POD_NAME", "program");
    Process program = builder.start();
    try (BufferedReader log = program.inputReader(StandardCharsets.UTF_8)) {
      JsonNode first = new ObjectMapper().readTree(log.readLine());
      assertThat(first.path("log.level").asText()).isEqualTo("INFO");
      assertThat(first.path("message").asText()).isNotEmpty();
      Thread drain = new Thread(() -> log.lines().forEach(line -> {}), "drain");
      drain.setDaemon(true);
      drain.start();
      await()
          .atMost(Cluster.PATIENCE)
          .ignoreExceptionsInstanceOf(IOException.class)
          .until(() -> status(port, "/healthz/ready") == 200);
      assertThat(status(port, "/healthz/live")).isEqualTo(200);
      assertThat(status(port, "/metrics")).isEqualTo(200);
      assertThat(status(port, "/healthz/other")).isEqualTo(404);

      program.destroy();

      assertThat(program.waitFor(Cluster.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(program.exitValue()).isEqualTo(128 + 15);
    } finally {
      program.destroyForcibly();
    }
  }

  private static int status(int port, String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  private static String leader() {
    Lease lease = cluster.admin().leases().inNamespace(SYSTEM).withName("controller").get();
    return lease == null ? "" : lease.getSpec().getHolderIdentity();
  }

  private static ControllerSettings replica(String identity) {
    ControllerSettings single = Cluster.settings("http://127.0.0.1:" + LocalPorts.free());
    return new ControllerSettings(
        single.namespaces(),
        single.restAddress(),
        false,
        single.http(),
        new ControllerSettings.Lease("controller", SYSTEM, identity, LEASE));
  }
}
