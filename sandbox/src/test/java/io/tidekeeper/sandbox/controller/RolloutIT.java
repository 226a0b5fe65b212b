package io.tidekeeper.sandbox.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.controller.rollout.Conditions;
import io.tidekeeper.crds.HistoryEntry;
import io.tidekeeper.crds.TargetStatus;
import io.tidekeeper.policy.PolicyOptions;
import io.tidekeeper.sandbox.traffic.Disorder;
import io.tidekeeper.sandbox.traffic.Traffic;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * From a policy that is applied to a job that runs on it, and back: everything but pods is real.
 */
@NullUnmarked
@ExtendWith(Chain.Shared.class)
class RolloutIT {

  private static final String POLICY = Subway.POLICY;

  @Test
  void aPolicyIsAppliedChangedAndTakenBackWhenMainRefusesIt(Chain chain) {
    Cluster cluster = chain.cluster;
    try (Subway subway = chain.subway();
        Chain.Controller controller = chain.controller(subway.namespace)) {
      assertThat(controller.running().isReady()).isTrue();
      String namespace = subway.namespace;
      TargetStatus first = subway.begin("5s");
      assertThat(first.reason()).isEqualTo("Applied");
      assertThat(first.sources()).isEqualTo("trips");
      assertThat(first.jobFormat()).isEqualTo(PolicyOptions.POLICY_FORMAT);
      assertApplied(cluster, namespace, "True");

      try (Traffic traffic = subway.traffic(100, Disorder.NONE)) {
        subway.apply(subway.spec("8s"));

        TargetStatus second =
            subway.awaitTarget(
                target -> "InSync".equals(target.state()) && target.revision() > first.revision());
        assertThat(second.jobId()).isNotEqualTo(first.jobId());
        assertThat(second.savepoint()).contains("savepoint-");
        assertThat(second.history()).extracting(HistoryEntry::outcome).startsWith("Succeeded");
        assertThat(subway.options()).containsEntry(Subway.BOUND, "8s");
        assertApplied(cluster, namespace, "True");

        subway.apply(subway.spec("8s", "healthyFor: 1s", Subway.UNKNOWN_SOURCE));

        TargetStatus rejected = cluster.awaitReason(namespace, POLICY, "ChangeRejected");
        assertThat(rejected.state()).isEqualTo("Rejected");
        assertThat(rejected.message())
            .contains(
                "1 problem in the tidekeeper options",
                "tidekeeper.source.tram",
                "its sources are trips",
                "tidekeeper.io/retry")
            .doesNotContain("\n");
        assertThat(rejected.history().get(0).outcome()).isEqualTo("RolledBack");
        assertThat(rejected.revision()).isGreaterThan(second.revision());
        assertThat(subway.options()).containsEntry(Subway.BOUND, "8s");
        assertThat(subway.options().keySet()).noneMatch(key -> key.contains("tram"));
        assertApplied(cluster, namespace, "False");
        assertThat(cluster.condition(namespace, POLICY, Conditions.STALLED).status())
            .isEqualTo("True");
        assertThat(cluster.events(namespace, POLICY))
            .contains(
                "Normal Preparing",
                "Normal SavepointPending",
                "Normal Upgrading",
                "Normal Verifying",
                "Normal Applied",
                "Warning RollingBack",
                "Warning ChangeRejected");
        assertThat(traffic.progress().ended()).as("traffic until the end").isFalse();
      }
    }
  }

  private static void assertApplied(Cluster cluster, String namespace, String status) {
    assertThat(cluster.condition(namespace, POLICY, Conditions.APPLIED).status()).isEqualTo(status);
  }
}
