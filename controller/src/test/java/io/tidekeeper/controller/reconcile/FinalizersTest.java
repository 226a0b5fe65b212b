package io.tidekeeper.controller.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.tidekeeper.controller.rollout.TargetRecord;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class FinalizersTest {

  private static final Instant NOW = Instant.parse("2026-01-05T06:00:00Z");
  private static final TargetRecord RESTING = TargetRecord.fresh("resting", NOW);

  @Test
  void oneIsHeldExactlyWhileAnyTargetIsUnderWay() {
    assertThat(Finalizers.wanted(policy(false), List.of(RESTING))).isEmpty();
    assertThat(Finalizers.wanted(policy(false), List.of(RESTING, underWay())))
        .containsExactly(Finalizers.ROLLOUT);
    assertThat(Finalizers.wanted(policy(false, Finalizers.ROLLOUT), List.of(underWay())))
        .containsExactly(Finalizers.ROLLOUT);
    assertThat(Finalizers.wanted(policy(false, Finalizers.ROLLOUT), List.of(RESTING))).isEmpty();
    assertThat(Finalizers.wanted(policy(false, Finalizers.ROLLOUT), List.of())).isEmpty();
  }

  @Test
  void thoseOfOthersAreLeftWhereTheyAre() {
    assertThat(Finalizers.wanted(policy(false, "a", Finalizers.ROLLOUT, "b"), List.of(RESTING)))
        .containsExactly("a", "b");
    assertThat(Finalizers.wanted(policy(false, "a"), List.of(underWay())))
        .containsExactly("a", Finalizers.ROLLOUT);
  }

  @Test
  void whatIsBeingDeletedKeepsOursUntilTheVerdictAndTakesNoNewOne() {
    assertThat(Finalizers.wanted(policy(true, Finalizers.ROLLOUT), List.of(underWay())))
        .containsExactly(Finalizers.ROLLOUT);
    assertThat(Finalizers.wanted(policy(true, Finalizers.ROLLOUT), List.of(RESTING))).isEmpty();
    assertThat(Finalizers.wanted(policy(true, "a"), List.of(underWay()))).containsExactly("a");
  }

  private static ObjectMeta policy(boolean deleting, String... finalizers) {
    return new ObjectMetaBuilder()
        .withFinalizers(finalizers)
        .withDeletionTimestamp(deleting ? NOW.toString() : null)
        .build();
  }

  private static TargetRecord underWay() {
    FakeCluster cluster = new FakeCluster();
    cluster.deployment("job");
    return Statuses.records(
            Objects.requireNonNull(
                new PolicyPass(cluster, cluster, Telemetry.NONE, Clock.systemUTC(), false)
                    .run(cluster.policy("policy", "job"))
                    .written()),
            NOW)
        .get(0);
  }
}
