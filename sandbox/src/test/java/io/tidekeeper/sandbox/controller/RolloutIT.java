package io.tidekeeper.sandbox.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.tidekeeper.controller.app.TidekeeperController;
import io.tidekeeper.controller.rollout.Conditions;
import io.tidekeeper.crds.HistoryEntry;
import io.tidekeeper.crds.TargetStatus;
import io.tidekeeper.job.pipeline.TidekeeperJob;
import io.tidekeeper.policy.PolicyOptions;
import io.tidekeeper.sandbox.flink.FlinkCluster;
import io.tidekeeper.sandbox.kafka.KafkaBroker;
import io.tidekeeper.sandbox.operator.StandInOperator;
import io.tidekeeper.sandbox.subway.SubwayJobs;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * From a policy that is applied to a job that runs on it, and back: everything but pods is real.
 */
@NullUnmarked
class RolloutIT {

  private static final String BOUND = "tidekeeper.default.watermark.bounded.max-out-of-orderness";
  private static final int PARTITIONS = 2;

  private static Cluster cluster;
  private static KafkaBroker broker;
  private static FlinkCluster flink;
  private static StandInOperator operator;
  private static KubernetesClient client;
  private static TidekeeperController controller;

  @BeforeAll
  static void start(@TempDir Path folder) {
    cluster = Cluster.start(folder);
    if (cluster == null) {
      return;
    }
    broker = KafkaBroker.start(folder.resolve("kafka"));
    SubwayJobs.createTopics(broker, PARTITIONS);
    flink =
        FlinkCluster.in(folder.resolve("flink"))
            .setting("metrics.fetcher.update-interval", "1000")
            .start();
    operator =
        StandInOperator.on(cluster.admin(), flink)
            .classPath(Cluster.JAR)
            .option("execution.checkpointing.savepoint-dir", flink.savepointDir())
            .start();
    client = cluster.controllerClient();
    controller = cluster.controller(client, Cluster.settings(flink.restUri().toString()));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      controller.close();
      client.close();
      operator.close();
      flink.close();
      broker.close();
      cluster.close();
    }
  }

  @Test
  void aPolicyIsAppliedChangedAndTakenBackWhenMainRefusesIt() {
    Cluster.assume();
    String namespace = cluster.newNamespace();
    try (Trips trips = new Trips(broker.bootstrapServers(), SubwayJobs.INPUT, PARTITIONS)) {
      assertThat(trips).isNotNull();
      cluster.deploy(namespace, "subway", TidekeeperJob.class.getName(), ownOptions());
      cluster.create(namespace, "rush-hour", spec("5s", ""));

      TargetStatus first = cluster.awaitReason(namespace, "rush-hour", "Applied");
      assertThat(first.state()).isEqualTo("InSync");
      assertThat(first.sources()).isEqualTo("trips");
      assertThat(first.jobFormat()).isEqualTo(PolicyOptions.POLICY_FORMAT);
      assertApplied(namespace, "True");

      cluster.change(namespace, "rush-hour", spec("8s", ""));

      TargetStatus second =
          cluster.awaitTarget(
              namespace,
              "rush-hour",
              target -> "InSync".equals(target.state()) && target.revision() > first.revision());
      assertThat(second.jobId()).isNotEqualTo(first.jobId());
      assertThat(second.savepoint()).contains("savepoint-");
      assertThat(second.history()).extracting(HistoryEntry::outcome).startsWith("Succeeded");
      assertThat(cluster.configuration(namespace, "subway")).containsEntry(BOUND, "8s");
      assertApplied(namespace, "True");

      cluster.change(namespace, "rush-hour", spec("8s", TRAM));

      TargetStatus rejected = cluster.awaitReason(namespace, "rush-hour", "ChangeRejected");
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
      Map<String, String> configuration = cluster.configuration(namespace, "subway");
      assertThat(configuration).containsEntry(BOUND, "8s");
      assertThat(configuration.keySet()).noneMatch(key -> key.contains("tram"));
      assertApplied(namespace, "False");
      assertThat(cluster.condition(namespace, "rush-hour", Conditions.STALLED).status())
          .isEqualTo("True");
      assertThat(cluster.events(namespace, "rush-hour"))
          .contains(
              "Normal Preparing",
              "Normal SavepointPending",
              "Normal Upgrading",
              "Normal Verifying",
              "Normal Applied",
              "Warning RollingBack",
              "Warning ChangeRejected");
    }
  }

  private static final String TRAM =
      "sources: [{name: tram, watermark: {type: Monotonous, idleTimeout: 5s}}]";

  private static String spec(String bound, String sources) {
    return Cluster.spec(bound, List.of("subway"), "")
        + "lateData: {topic: %s}\n".formatted(SubwayJobs.LATE)
        + sources;
  }

  private static void assertApplied(String namespace, String status) {
    assertThat(cluster.condition(namespace, "rush-hour", Conditions.APPLIED).status())
        .isEqualTo(status);
  }

  /** What the owner of the deployment sets: everything but the policy. */
  private static Map<String, String> ownOptions() {
    Map<String, String> options =
        new TreeMap<>(
            new SubwayJobs(Path.of(""), broker.bootstrapServers())
                .bundled(Map.of(), PARTITIONS)
                .configuration());
    options.keySet().removeIf(PolicyOptions::owns);
    return options;
  }
}
