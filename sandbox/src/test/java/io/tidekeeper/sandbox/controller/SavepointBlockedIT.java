package io.tidekeeper.sandbox.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidekeeper.controller.rollout.Conditions;
import io.tidekeeper.crds.HistoryEntry;
import io.tidekeeper.crds.TargetStatus;
import io.tidekeeper.sandbox.traffic.Disorder;
import io.tidekeeper.sandbox.traffic.Traffic;
import java.io.IOException;
import java.util.Map;
import org.apache.flink.api.common.JobStatus;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A savepoint that cannot be written stops the change, never the job. */
@NullUnmarked
@ExtendWith(Chain.Shared.class)
class SavepointBlockedIT {

  @Test
  void theChangeIsWithdrawnAndTheJobRunsOn(Chain chain) throws IOException {
    try (Subway subway = chain.subway();
        Chain.Controller controller = chain.controller(subway.namespace)) {
      assertThat(controller.running().isReady()).isTrue();
      TargetStatus first = subway.begin("5s");
      try (Traffic traffic = subway.traffic(100, Disorder.NONE)) {
        assertThat(traffic.progress().ended()).isFalse();
        assertThat(first.state()).isEqualTo("InSync");
        Before before = new Before(subway);
        subway.blockSavepoints();

        subway.apply(subway.spec("8s", "healthyFor: 1s, savepointTimeout: 10s", ""));

        TargetStatus failing =
            subway.awaitTarget(target -> "SavepointFailing".equals(target.reason()));
        assertThat(failing.state()).isEqualTo("Saving");
        assertThat(failing.message()).contains("UpgradeFailureException", "Savepoint Error");
        assertThat(subway.options()).containsEntry(Subway.BOUND, "8s");
        assertThat(subway.observedGeneration())
            .as("the operator has not taken the change over")
            .isLessThan(subway.generation());
        TargetStatus rejected =
            subway.awaitTarget(target -> "ChangeRejected".equals(target.reason()));
        assertThat(rejected.message()).contains("not stopped with a savepoint in time");
        assertEnded(rejected, "Withdrawn", "SavepointTimedOut");
        assertThat(rejected.rejectedChange()).isEqualTo(failing.change());
        before.assertNothingHasChanged(2);
        assertRunsOn(subway);

        // The former values end it without a restart; then the policy is changed and set back at
        // once.
        subway.apply(subway.spec("5s"));
        subway.awaitInSync("5s");
        subway.apply(subway.spec("9s"));
        subway.awaitTarget(target -> "SavepointFailing".equals(target.reason()));

        subway.apply(subway.spec("5s"));

        TargetStatus setBack =
            subway.awaitTarget(
                target ->
                    "InSync".equals(target.state())
                        && "SpecReverted".equals(target.history().get(0).reason()));
        assertEnded(setBack, "Withdrawn", "SpecReverted");
        assertThat(setBack.rejectedChange()).isNull();
        assertThat(
                chain
                    .cluster
                    .condition(subway.namespace, Subway.POLICY, Conditions.APPLIED)
                    .status())
            .isEqualTo("True");
        before.assertNothingHasChanged(4);
        assertRunsOn(subway);

        subway.unblockSavepoints();
        subway.apply(subway.spec("11s"));

        TargetStatus through = subway.awaitInSync("11s");
        assertEnded(through, "Succeeded", "Applied");
        assertThat(through.jobId()).isNotEqualTo(before.jobId);
        assertThat(through.savepoint()).contains("savepoint-");
        assertThat(traffic.progress().ended()).as("traffic until the end").isFalse();
      }
    }
  }

  private static void assertEnded(TargetStatus target, String outcome, String reason) {
    HistoryEntry newest = target.history().get(0);
    assertThat(newest.outcome()).isEqualTo(outcome);
    assertThat(newest.reason()).isEqualTo(reason);
  }

  /** Results go on to come. */
  private static void assertRunsOn(Subway subway) {
    int results = subway.topics().results(subway.results()).size();
    await("more results")
        .atMost(Cluster.PATIENCE)
        .until(() -> subway.topics().results(subway.results()).size() > results);
    assertThat(subway.job().status()).isEqualTo(JobStatus.RUNNING);
  }

  /** How the target was before a change. */
  private static final class Before {
    private final Subway subway;
    private final Map<String, String> options;
    private final String jobId;
    private final long generation;

    Before(Subway subway) {
      this.subway = subway;
      this.options = subway.options();
      this.jobId = subway.jobId();
      this.generation = subway.generation();
    }

    /** The same options to the byte, the same job; the writes there and back are all there were. */
    void assertNothingHasChanged(int writes) throws JsonProcessingException {
      assertThat(subway.options()).isEqualTo(options).containsKey("tidekeeper.revision");
      assertThat(subway.jobId()).isEqualTo(jobId);
      assertThat(subway.generation()).isEqualTo(generation + writes);
      assertThat(subway.observedGeneration()).isEqualTo(generation + writes);
      assertThat(subway.deployment().<String>get("status", "error")).isNull();
      String reconciled =
          subway.deployment().get("status", "reconciliationStatus", "lastReconciledSpec");
      JsonNode taken = new ObjectMapper().readTree(reconciled).at("/spec/flinkConfiguration");
      options.forEach((key, value) -> assertThat(taken.path(key).asText()).isEqualTo(value));
    }
  }
}
