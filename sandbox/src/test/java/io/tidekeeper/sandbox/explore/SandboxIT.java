package io.tidekeeper.sandbox.explore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidekeeper.sandbox.kube.KubeApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code make sandbox} as a user starts and ends it. */
class SandboxIT {

  private static final Duration PATIENCE = Duration.ofMinutes(6);

  @Test
  void itRunsUntilItIsToldToEndAndLeavesNoProcessBehind(@TempDir Path folder)
      throws IOException, InterruptedException {
    KubeApi.unavailableReason().ifPresent(Assumptions::abort);
    Path out = folder.resolve("out");
    Process sandbox =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-Dlog4j2.configurationFile=classpath:log4j2.xml",
                "-Dtidekeeper.log=" + folder.resolve("log"),
                "-cp",
                System.getProperty("java.class.path"),
                Sandbox.class.getName(),
                "--dir=" + folder.resolve("sandbox"),
                "--rate=50")
            .directory(Path.of("..").toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    try {
      await()
          .atMost(PATIENCE)
          .until(() -> !sandbox.isAlive() || Files.readString(out).contains("Try in another"));
      assertThat(Files.readString(out))
          .contains("Flink's web UI", "export KUBECONFIG=", "policy-schedule.yaml", "InSync");
      List<ProcessHandle> children = sandbox.descendants().toList();
      assertThat(children)
          .as("etcd, kube-apiserver, kube-controller-manager, controller")
          .hasSizeGreaterThanOrEqualTo(4);

      // To a JVM the same as Ctrl-C, which a test that runs in the background could not send.
      assertThat(sandbox.toHandle().destroy()).isTrue();
      assertThat(sandbox.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(Files.readString(out)).contains("Everything is stopped");
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(children).allMatch(child -> !child.isAlive(), "has ended"));
    } finally {
      sandbox.descendants().forEach(ProcessHandle::destroyForcibly);
      sandbox.destroyForcibly();
    }
  }
}
