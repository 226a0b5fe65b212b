package io.tidekeeper.sandbox.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlPlaneTest {
  private static final KubeIdentity SOMEBODY = KubeIdentity.user("somebody");

  @Test
  void aProgramThatEndsIsReportedWithItsExitCodeAndItsLog(@TempDir Path dir) throws IOException {
    program(dir, "etcd", "echo \"no room for $0\"; exit 7");
    program(dir, "kube-apiserver", "exec sleep 60");

    assertThatThrownBy(() -> start(dir))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("etcd ended with exit code 7", "etcd.log", "no room for");
  }

  @Test
  void theOthersAreStoppedWhenOneEnds(@TempDir Path dir) throws IOException {
    program(dir, "etcd", "echo $$ >" + dir.resolve("pid") + "; exec sleep 60");
    program(
        dir,
        "kube-apiserver",
        "while ! [ -s " + dir.resolve("pid") + " ]; do sleep 0.05; done; echo gone; exit 1");

    assertThatThrownBy(() -> start(dir)).hasMessageContaining("kube-apiserver ended");

    long etcd = Long.parseLong(Files.readString(dir.resolve("pid")).strip());
    assertThat(ProcessHandle.of(etcd).filter(ProcessHandle::isAlive)).isEmpty();
  }

  private static void start(Path dir) {
    ControlPlane.start(new Binaries(dir), dir.resolve("home"), List.of(SOMEBODY), SOMEBODY);
  }

  private static void program(Path dir, String name, String script) throws IOException {
    Path program = dir.resolve(name);
    Files.writeString(program, "#!/bin/sh\n" + script + "\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
  }
}
