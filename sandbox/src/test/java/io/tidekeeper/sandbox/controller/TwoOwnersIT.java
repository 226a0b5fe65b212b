package io.tidekeeper.sandbox.controller;

import static io.tidekeeper.sandbox.controller.Subway.BOUND;
import static io.tidekeeper.sandbox.controller.Subway.POLICY;
import static io.tidekeeper.sandbox.controller.Subway.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.tidekeeper.controller.rollout.Annotations;
import io.tidekeeper.crds.HistoryEntry;
import io.tidekeeper.crds.TargetStatus;
import io.tidekeeper.sandbox.traffic.Disorder;
import io.tidekeeper.sandbox.traffic.Traffic;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Somebody else wants a job that runs on a policy: nothing is overwritten, and all is said. */
@NullUnmarked
@ExtendWith(Chain.Shared.class)
class TwoOwnersIT {

  private static final String IDLE = "tidekeeper.default.watermark.idle-timeout";

  @Test
  void aKeyTakenByForceStaysTakenUntilItIsGivenUpAndASecondPolicyWaitsForTheFirst(Chain chain) {
    Cluster cluster = chain.cluster;
    try (Subway subway = chain.subway();
        Chain.Controller controller = chain.controller(subway.namespace)) {
      assertThat(controller.running().isReady()).isTrue();
      TargetStatus first = subway.begin("5s");
      try (Traffic traffic = subway.traffic(100, Disorder.NONE)) {
        assertThat(traffic.progress().ended()).isFalse();

        // As a Git tool does that applies a manifest with one of our options in it.
        forceAs("gitops", subway, Map.of(IDLE, "9s"));

        TargetStatus conflict =
            subway.awaitTarget(target -> "FieldConflict".equals(target.reason()));
        assertThat(conflict.state()).isEqualTo("Waiting");
        assertThat(conflict.message()).contains(IDLE, "gitops");
        awaitRunningOn(subway, IDLE, "9s");
        subway.awaitAnotherPolicysLook();
        assertThat(subway.options()).containsEntry(IDLE, "9s").containsEntry(BOUND, "5s");
        assertThat(subway.target().reason()).isEqualTo("FieldConflict");

        forceAs("gitops", subway, Map.of());

        TargetStatus back = subway.awaitInSync("5s");
        assertThat(subway.options()).containsEntry(IDLE, "5s");
        assertThat(back.revision()).isGreaterThan(first.revision());
        assertThat(back.history()).extracting(HistoryEntry::outcome).startsWith("Succeeded");
        assertThat(back.savepoint()).contains("savepoint-");

        cluster.create(subway.namespace, "second", subway.spec("12s"));

        TargetStatus second = cluster.awaitReason(subway.namespace, "second", "Conflicted");
        assertThat(second.message()).contains(subway.namespace + "/" + POLICY, TARGET);
        assertThat(subway.options()).containsEntry(BOUND, "5s");
        assertThat(subway.jobId()).isEqualTo(back.jobId());
        assertThat(cluster.policy(subway.namespace, POLICY).getStatus().targets().get(0).state())
            .isEqualTo("InSync");

        subway.deletePolicy();

        TargetStatus taken =
            cluster.awaitTarget(
                subway.namespace, "second", target -> "InSync".equals(target.state()));
        assertThat(subway.options()).containsEntry(BOUND, "12s");
        assertThat(taken.revision()).isGreaterThan(back.revision());
        assertThat(taken.history())
            .singleElement()
            .satisfies(entry -> assertThat(entry.outcome()).isEqualTo("Succeeded"));
        assertThat(taken.jobId()).isNotEqualTo(back.jobId());
        assertThat(taken.savepoint()).contains("savepoint-").isNotEqualTo(back.savepoint());
        assertThat(subway.deployment().getMetadata().getAnnotations())
            .containsEntry(Annotations.HOLDER, "second");
        assertThat(traffic.progress().ended()).as("traffic until the end").isFalse();
      }
    }
  }

  /** The job runs on a value that is not ours. */
  private static void awaitRunningOn(Subway subway, String key, String value) {
    subway.awaitDeployment(
        deployment ->
            "STABLE".equals(deployment.get("status", "lifecycleState"))
                && deployment
                    .<String>get("status", "reconciliationStatus", "lastReconciledSpec")
                    .contains("\"%s\":\"%s\"".formatted(key, value)));
  }

  private static void forceAs(String manager, Subway subway, Map<String, String> options) {
    GenericKubernetesResource manifest =
        new GenericKubernetesResourceBuilder()
            .withApiVersion("flink.apache.org/v1beta1")
            .withKind("FlinkDeployment")
            .withNewMetadata()
            .withName(TARGET)
            .withNamespace(subway.namespace)
            .endMetadata()
            .addToAdditionalProperties("spec", Map.of("flinkConfiguration", options))
            .build();
    GenericKubernetesResource applied =
        subway
            .admin()
            .resource(manifest)
            .patch(
                new PatchContext.Builder()
                    .withPatchType(PatchType.SERVER_SIDE_APPLY)
                    .withFieldManager(manager)
                    .withForce(true)
                    .build());
    assertThat(applied.getMetadata().getUid()).isNotNull();
  }
}
