package io.tidekeeper.crds;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The CRD that users install is the one the records say. */
class CommittedCrdTest {

  private static final Path COMMITTED =
      Path.of("../k8s/crd/watermarkpolicies.tidekeeper.io-v1alpha1.yaml");
  private static final String REFRESH = "tidekeeper.crd.refresh";

  @Test
  void the_committed_crd_is_the_generated_one() throws IOException {
    String generated = GeneratedCrd.yaml();
    if (Boolean.getBoolean(REFRESH)) {
      Files.writeString(COMMITTED, generated, UTF_8);
    }
    assertThat(Files.exists(COMMITTED) ? Files.readString(COMMITTED, UTF_8) : "")
        .as("%s is out of date; refresh it with: make crd", COMMITTED)
        .isEqualTo(generated);
  }
}
