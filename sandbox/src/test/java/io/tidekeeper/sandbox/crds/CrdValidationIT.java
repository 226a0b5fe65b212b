package io.tidekeeper.sandbox.crds;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidekeeper.crds.RolloutMode;
import io.tidekeeper.crds.WatermarkPolicy;
import io.tidekeeper.sandbox.kube.KubeApi;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The examples of policies, against the committed CRD on a real API server. */
class CrdValidationIT {

  private static final Path CRD =
      Path.of("../k8s/crd/watermarkpolicies.tidekeeper.io-v1alpha1.yaml");
  private static final Path EXAMPLES = Path.of("../crds/src/test/resources/crd");
  private static final String EXPECT = "# expect: ";

  @TempDir static @Nullable Path folder;

  private static @Nullable KubeApi api;

  @BeforeAll
  static void start() {
    if (KubeApi.unavailableReason().isEmpty()) {
      api = KubeApi.in(Objects.requireNonNull(folder).resolve("api")).manifests(CRD).start();
    }
  }

  @AfterAll
  static void stop() {
    if (api != null) {
      api.close();
    }
  }

  @BeforeEach
  void skipWithoutAControlPlane() {
    KubeApi.unavailableReason().ifPresent(Assumptions::abort);
  }

  static Stream<Named<Path>> accepted() {
    return Stream.concat(starting("valid-"), starting("unaccepted-"));
  }

  static Stream<Named<Path>> invalid() {
    return starting("invalid-");
  }

  @ParameterizedTest
  @MethodSource("accepted")
  void isAccepted(Path example) {
    assertThat(create(example).getMetadata().getUid()).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("invalid")
  void isRefusedWithItsMessage(Path example) {
    KubernetesClientException refused =
        catchThrowableOfType(KubernetesClientException.class, () -> create(example));
    assertThat(refused).isNotNull();
    assertThat(refused.getCode()).isEqualTo(422);
    String first = text(example).lines().findFirst().orElse("");
    assertThat(first).startsWith(EXPECT);
    assertThat(refused).hasMessageContaining(first.substring(EXPECT.length()));
  }

  @Test
  void theLargestPolicyIsStoredAndChangedWithinTheBudgetOfItsRules() {
    KubernetesClient client = client();
    client
        .resource(
            client
                .getKubernetesSerialization()
                .unmarshal(text(EXAMPLES.resolve("valid-largest.yaml")), WatermarkPolicy.class))
        .create();
    WatermarkPolicy stored =
        client
            .resources(WatermarkPolicy.class)
            .withName("valid-largest")
            .edit(
                policy -> {
                  policy.getMetadata().getLabels().put("changed", "once");
                  return policy;
                });
    assertThat(stored.getSpec().sources()).hasSize(16);
    assertThat(stored.getMetadata().getLabels()).containsEntry("changed", "once");
    client.resources(WatermarkPolicy.class).withName("valid-largest").delete();
  }

  @Test
  void defaultsAreFilledInSoThatWhatIsReadIsWhatHolds() {
    WatermarkPolicy stored =
        client()
            .getKubernetesSerialization()
            .convertValue(create(EXAMPLES.resolve("valid-minimal.yaml")), WatermarkPolicy.class);
    assertThat(Objects.requireNonNull(stored.getSpec().rollout()).mode())
        .isEqualTo(RolloutMode.Auto);
    assertThat(Objects.requireNonNull(stored.getSpec().rollout()).cooldown()).isEqualTo("10m");
  }

  private static GenericKubernetesResource create(Path example) {
    KubernetesClient client = client();
    GenericKubernetesResource policy =
        client
            .getKubernetesSerialization()
            .unmarshal(text(example), GenericKubernetesResource.class);
    return client.resource(policy).dryRun().create();
  }

  private static KubernetesClient client() {
    return Objects.requireNonNull(api).adminClient();
  }

  private static Stream<Named<Path>> starting(String prefix) {
    try (Stream<Path> files = Files.list(EXAMPLES)) {
      List<Path> found =
          files.filter(file -> file.getFileName().toString().startsWith(prefix)).sorted().toList();
      return found.stream().map(file -> Named.of(file.getFileName().toString(), file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
