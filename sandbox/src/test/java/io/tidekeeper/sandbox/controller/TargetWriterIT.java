package io.tidekeeper.sandbox.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.tidekeeper.controller.kubernetes.TargetWriter;
import io.tidekeeper.controller.kubernetes.WriteResult;
import io.tidekeeper.controller.kubernetes.WriteResult.Claim;
import io.tidekeeper.controller.kubernetes.WriteResult.FieldConflict;
import io.tidekeeper.controller.kubernetes.WriteResult.Gone;
import io.tidekeeper.controller.kubernetes.WriteResult.Stale;
import io.tidekeeper.controller.kubernetes.WriteResult.Written;
import io.tidekeeper.controller.rollout.Action.Apply;
import io.tidekeeper.controller.rollout.Annotations;
import io.tidekeeper.controller.rollout.OwnKeys;
import io.tidekeeper.policy.PolicySettings;
import io.tidekeeper.policy.SourceSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a write does to a target, and what each refusal leaves untouched. */
@NullUnmarked
class TargetWriterIT {

  private static final String BOUND = "tidekeeper.default.watermark.bounded.max-out-of-orderness";

  private static Cluster cluster;
  private static KubernetesClient client;
  private static TargetWriter writer;
  private String namespace;

  @BeforeAll
  static void start(@TempDir Path folder) {
    cluster = Cluster.start(folder);
    if (cluster != null) {
      client = cluster.controllerClient();
      writer = new TargetWriter(client);
    }
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      client.close();
      cluster.close();
    }
  }

  @BeforeEach
  void fresh() {
    Cluster.assume();
    namespace = cluster.newNamespace();
  }

  @Test
  void onlyOurKeysAndTheAnnotationAreOwned() {
    GenericKubernetesResource target = cluster.deploy(namespace, "job", Map.of("rest.port", "81"));

    assertThat(write(target, keys(5, 1))).isInstanceOf(Written.class);

    GenericKubernetesResource written = live();
    assertThat(configuration()).containsEntry("rest.port", "81").containsEntry(BOUND, "5s");
    assertThat(written.getMetadata().getAnnotations()).containsEntry(Annotations.HOLDER, "policy");
    assertThat(written.getMetadata().getManagedFields())
        .filteredOn(entry -> entry.getManager().equals(TargetWriter.MANAGER))
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.getOperation()).isEqualTo("Apply");
              assertThat(entry.getFieldsV1().getAdditionalProperties().toString())
                  .contains("f:" + BOUND, "f:tidekeeper.io/policy")
                  .doesNotContain("rest.port", "f:job");
            });
  }

  @Test
  void theSameAgainMovesNothing() {
    assertThat(write(cluster.deploy(namespace, "job", Map.of()), keys(5, 1)))
        .isInstanceOf(Written.class);
    GenericKubernetesResource first = live();

    assertThat(write(first, keys(5, 1))).isInstanceOf(Written.class);

    assertThat(live().getMetadata().getResourceVersion())
        .isEqualTo(first.getMetadata().getResourceVersion());
    assertThat(live().getMetadata().getGeneration()).isEqualTo(first.getMetadata().getGeneration());
  }

  @Test
  void aKeyOfSomebodyElseIsAConflictThatNamesBothAndWritesNothing() {
    GenericKubernetesResource target = cluster.deploy(namespace, "job", Map.of());
    cluster.applyAs("gitops", only(target, Map.of(BOUND, "30s")));
    GenericKubernetesResource before = live();

    WriteResult result = write(before, keys(5, 1));

    assertThat(result)
        .isInstanceOfSatisfying(
            FieldConflict.class,
            conflict -> assertThat(conflict.fields()).containsExactly(new Claim(BOUND, "gitops")));
    assertThat(live().getMetadata().getResourceVersion())
        .isEqualTo(before.getMetadata().getResourceVersion());
    assertThat(configuration()).isEqualTo(Map.of(BOUND, "30s"));
  }

  @Test
  void aTargetThatHasChangedSinceIsLeftAlone() {
    GenericKubernetesResource seen = cluster.deploy(namespace, "job", Map.of());
    cluster.applyAs("gitops", only(seen, Map.of("rest.port", "82")));

    assertThat(write(seen, keys(5, 1))).isInstanceOf(Stale.class);
    assertThat(configuration()).isEqualTo(Map.of("rest.port", "82"));
  }

  @Test
  void aTargetThatIsGoneIsNotCreatedAndAnotherUnderItsNameNotTouched() {
    GenericKubernetesResource seen = cluster.deploy(namespace, "job", Map.of());
    cluster.admin().resource(seen).delete();

    assertThat(write(seen, keys(5, 1))).isInstanceOf(Gone.class);
    assertThat(cluster.deployment(namespace, "job")).isNull();

    GenericKubernetesResource other = cluster.deploy(namespace, "job", Map.of());
    WriteResult result =
        writer.apply(other, new Apply(seen.getMetadata().getUid(), keys(5, 1)), "policy");
    assertThat(result).isInstanceOf(Gone.class);
    assertThat(configuration()).isEmpty();
  }

  @Test
  void keysThatAreGivenUpAreGoneAndThoseOfOthersStay() {
    GenericKubernetesResource target = cluster.deploy(namespace, "job", Map.of("rest.port", "81"));
    assertThat(write(target, keys(5, 1))).isInstanceOf(Written.class);

    assertThat(write(live(), OwnKeys.NONE)).isInstanceOf(Written.class);

    assertThat(configuration()).isEqualTo(Map.of("rest.port", "81"));
  }

  private WriteResult write(GenericKubernetesResource seen, OwnKeys keys) {
    return writer.apply(seen, new Apply(seen.getMetadata().getUid(), keys), "policy");
  }

  private GenericKubernetesResource live() {
    return Objects.requireNonNull(cluster.deployment(namespace, "job"));
  }

  private Map<String, String> configuration() {
    return cluster.configuration(namespace, "job");
  }

  private static OwnKeys keys(int seconds, long revision) {
    return OwnKeys.of(
        new PolicySettings(
            0, SourceSettings.fallback(Duration.ofSeconds(seconds)), new TreeMap<>()),
        revision);
  }

  private static GenericKubernetesResource only(
      GenericKubernetesResource target, Map<String, String> options) {
    return new GenericKubernetesResourceBuilder()
        .withApiVersion(target.getApiVersion())
        .withKind(target.getKind())
        .withNewMetadata()
        .withName(target.getMetadata().getName())
        .withNamespace(target.getMetadata().getNamespace())
        .endMetadata()
        .addToAdditionalProperties("spec", Map.of("flinkConfiguration", options))
        .build();
  }
}
