package io.tidekeeper.sandbox.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NullUnmarked
class CredentialsTest {
  @TempDir Path folder;

  @Test
  void everyIdentityHasALineAndATokenOfItsOwn() throws IOException {
    Path file = folder.resolve("tokens.csv");

    Map<String, String> tokens =
        Credentials.writeTokens(
            file,
            List.of(
                KubeIdentity.user("alice"), new KubeIdentity("bob", List.of("ops", "team:blue"))));

    assertThat(tokens).containsOnlyKeys("alice", "bob");
    assertThat(tokens.get("alice")).hasSize(64).isNotEqualTo(tokens.get("bob"));
    assertThat(Files.readAllLines(file))
        .containsExactly(
            tokens.get("alice") + ",alice,alice", tokens.get("bob") + ",bob,bob,\"ops,team:blue\"");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void aNameThatWouldBreakTheFileIsRefused() {
    assertThatThrownBy(() -> KubeIdentity.user("eve,admin"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'eve,admin'");
    assertThatThrownBy(() -> new KubeIdentity("eve", List.of("a\nb")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
