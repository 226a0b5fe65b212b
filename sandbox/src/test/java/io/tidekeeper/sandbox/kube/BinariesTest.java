package io.tidekeeper.sandbox.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NullUnmarked
class BinariesTest {
  @TempDir Path checkout;

  @Test
  void areFoundFromTheRootAndFromAModule() throws IOException {
    Path home = build("1.2.3", "etcd", "kube-apiserver", "kube-controller-manager");

    assertThat(Binaries.find(checkout)).contains(new Binaries(home));
    assertThat(Binaries.find(checkout.resolve("module"))).contains(new Binaries(home));
  }

  @Test
  void areNotLookedForOutsideOfTheCheckout() throws IOException {
    build("1.2.3", "etcd", "kube-apiserver", "kube-controller-manager");
    Path elsewhere = Files.createDirectories(checkout.resolve("elsewhere"));

    assertThat(Binaries.find(elsewhere)).isEmpty();
  }

  @Test
  void areAbsentWhenOneIsMissing() throws IOException {
    build("1.2.3", "etcd", "kube-apiserver");

    assertThat(Binaries.find(checkout)).isEmpty();
  }

  private Path build(String version, String... programs) throws IOException {
    Files.createFile(checkout.resolve("pom.xml"));
    Files.createFile(Files.createDirectories(checkout.resolve("module")).resolve("pom.xml"));
    Path home = Files.createDirectories(checkout.resolve(".cache/kube").resolve(version));
    for (String program : programs) {
      assertThat(Files.createFile(home.resolve(program)).toFile().setExecutable(true)).isTrue();
    }
    Files.createSymbolicLink(checkout.resolve(".cache/kube/current"), Path.of(version));
    return home.toRealPath();
  }
}
