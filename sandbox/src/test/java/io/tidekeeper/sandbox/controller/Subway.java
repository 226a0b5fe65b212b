package io.tidekeeper.sandbox.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.tidekeeper.crds.TargetStatus;
import io.tidekeeper.crds.WatermarkPolicy;
import io.tidekeeper.job.pipeline.TidekeeperJob;
import io.tidekeeper.policy.PolicyOptions;
import io.tidekeeper.sandbox.account.Account;
import io.tidekeeper.sandbox.account.Settlement;
import io.tidekeeper.sandbox.account.Topics;
import io.tidekeeper.sandbox.flink.JobRef;
import io.tidekeeper.sandbox.subway.LastWindow;
import io.tidekeeper.sandbox.subway.SubwayJobs;
import io.tidekeeper.sandbox.traffic.Disorder;
import io.tidekeeper.sandbox.traffic.Traffic;
import io.tidekeeper.sandbox.traffic.TrafficPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.flink.api.common.JobID;

/**
 * A subway job on the chain: a FlinkDeployment and a policy in a namespace of their own, topics and
 * a folder for savepoints of its own.
 */
final class Subway implements AutoCloseable {

  static final String TARGET = "subway";
  static final String POLICY = "rush-hour";
  static final String BOUND = "tidekeeper.default.watermark.bounded.max-out-of-orderness";
  static final int PARTITIONS = 2;

  /** A source that the job does not have: its {@code main} refuses to start. */
  static final String UNKNOWN_SOURCE =
      "sources: [{name: tram, watermark: {type: Monotonous, idleTimeout: 5s}}]";

  private static final long SEED = 20240515;

  final String namespace;
  private final Chain chain;
  private final Cluster cluster;
  private final Path savepoints;
  private int newcomers;

  Subway(Chain chain, String namespace, Path folder) {
    this.chain = chain;
    this.cluster = chain.cluster;
    this.namespace = namespace;
    this.savepoints = folder.resolve("savepoints-" + namespace).toAbsolutePath();
    chain.broker.createTopic(input(), PARTITIONS);
    chain.broker.createTopic(results(), 2);
    chain.broker.createTopic(late(), 1);
    chain.broker.createTopic(deadLetters(), 1);
  }

  String input() {
    return namespace + "-in";
  }

  String results() {
    return namespace + "-results";
  }

  String late() {
    return namespace + "-late";
  }

  String deadLetters() {
    return namespace + "-dead";
  }

  Topics topics() {
    return new Topics(chain.broker.bootstrapServers());
  }

  /** Traffic that goes on until it is stopped. */
  Traffic traffic(int recordsPerSecond, Disorder disorder) {
    return Traffic.start(
        chain.broker.bootstrapServers(),
        input(),
        TrafficPlan.steady(
            SEED, PARTITIONS, recordsPerSecond, Duration.ofHours(1), disorder, Set.of()));
  }

  /** Creates the FlinkDeployment; its owner sets everything but the policy. */
  private void deploy() {
    Map<String, String> topics =
        Map.of(
            "tidekeeper.kafka.input-topic",
            input(),
            "tidekeeper.kafka.results-topic",
            results(),
            "tidekeeper.kafka.dead-letter-topic",
            deadLetters());
    Map<String, String> options =
        new TreeMap<>(
            new SubwayJobs(Path.of(""), chain.broker.bootstrapServers())
                .bundled(topics, PARTITIONS)
                .configuration());
    options.keySet().removeIf(PolicyOptions::owns);
    options.put("execution.checkpointing.savepoint-dir", savepoints.toUri().toString());
    GenericKubernetesResource created =
        cluster.deploy(namespace, TARGET, TidekeeperJob.class.getName(), options);
    assertThat(created.getMetadata().getUid()).isNotNull();
  }

  /**
   * Deploys the job under a policy and waits until it runs on it. Traffic is to come afterwards: an
   * operator that is faster than the controller starts the first job without options, and one
   * record from the future would then move event time by days.
   */
  TargetStatus begin(String bound) {
    apply(spec(bound));
    deploy();
    return awaitInSync(bound);
  }

  /** A spec of a constant out-of-orderness. */
  String spec(String bound) {
    return spec(bound, "healthyFor: 1s", "");
  }

  /**
   * The same.
   *
   * @param rollout members of the rollout block
   * @param more other members of the spec, a line each
   */
  String spec(String bound, String rollout, String more) {
    return """
    targetRefs: [{name: %s}]
    watermark:
      type: Bounded
      bounded: {maxOutOfOrderness: %s}
      idleTimeout: 5s
      maxFutureSkew: 5m
    lateData: {topic: %s}
    rollout: {cooldown: 0s, %s}
    %s
    """
        .formatted(TARGET, bound, late(), rollout, more);
  }

  /** Creates the policy, or changes its spec. */
  void apply(String spec) {
    if (cluster.policy(namespace, POLICY) == null) {
      WatermarkPolicy created = cluster.create(namespace, POLICY, spec);
      assertThat(created.getMetadata().getUid()).isNotNull();
    } else {
      cluster.change(namespace, POLICY, spec);
    }
  }

  void annotate(String key, String value) {
    cluster.annotate(namespace, POLICY, key, value);
  }

  /** Waits until the status of the target is like this. */
  TargetStatus awaitTarget(Predicate<TargetStatus> wanted) {
    return cluster.awaitTarget(namespace, POLICY, wanted);
  }

  /** The status of the target now. */
  TargetStatus target() {
    return awaitTarget(target -> true);
  }

  /** Waits until the target runs on this bound, proven. */
  TargetStatus awaitInSync(String bound) {
    return awaitTarget(
        target -> "InSync".equals(target.state()) && bound.equals(options().get(BOUND)));
  }

  /** Waits until the controller has looked at a newcomer, so at all that were there before. */
  void awaitAnotherPolicysLook() {
    String name = "newcomer-" + ++newcomers;
    WatermarkPolicy newcomer = cluster.policy(namespace, name, "5s", "missing");
    cluster.awaitReason(namespace, name, "TargetNotFound");
    List<?> unused = cluster.admin().resource(newcomer).delete();
  }

  /** Waits until the FlinkDeployment is like this. */
  void awaitDeployment(Predicate<GenericKubernetesResource> wanted) {
    await("the FlinkDeployment of " + namespace)
        .atMost(Cluster.PATIENCE)
        .until(() -> wanted.test(deployment()));
  }

  KubernetesClient admin() {
    return cluster.admin();
  }

  GenericKubernetesResource deployment() {
    return Objects.requireNonNull(cluster.deployment(namespace, TARGET));
  }

  long generation() {
    return deployment().getMetadata().getGeneration();
  }

  String version() {
    return deployment().getMetadata().getResourceVersion();
  }

  /** The generation that the operator has acted on. */
  long observedGeneration() {
    return deployment().<Number>get("status", "observedGeneration").longValue();
  }

  /** The options of a policy on the target, its revision included. */
  Map<String, String> options() {
    Map<String, String> options = new TreeMap<>(cluster.configuration(namespace, TARGET));
    options.keySet().removeIf(option -> !PolicyOptions.owns(option));
    return options;
  }

  /** The same without the revision: what it asks of the job. */
  Map<String, String> settings() {
    Map<String, String> settings = options();
    settings.remove(PolicyOptions.REVISION);
    return settings;
  }

  /** The job that the operator names. */
  String jobId() {
    return Objects.requireNonNull(deployment().get("status", "jobStatus", "jobId"));
  }

  JobRef job() {
    return chain.flink.find(JobID.fromHexString(jobId())).orElseThrow();
  }

  /** From now on no savepoint can be written: a file stands where the folder should be. */
  void blockSavepoints() throws IOException {
    if (Files.exists(savepoints)) {
      Files.move(savepoints, aside());
    }
    Files.createFile(savepoints);
  }

  /** Savepoints can be written again; those there were are still there. */
  void unblockSavepoints() throws IOException {
    Files.delete(savepoints);
    if (Files.exists(aside())) {
      Files.move(aside(), savepoints);
    }
  }

  private Path aside() {
    return savepoints.resolveSibling(savepoints.getFileName() + "-aside");
  }

  /** Ends traffic and job, and settles what was sent against what came out. */
  Settlement settle(Traffic traffic) {
    traffic.stop();
    traffic.sendClosing();
    LastWindow.await(job(), traffic);
    // The stop with a savepoint commits what has fired.
    setJobState("suspended");
    awaitDeployment(deployment -> "SUSPENDED".equals(deployment.get("status", "lifecycleState")));
    return Account.settle(
        traffic.truth(),
        topics().results(results()),
        topics().routed(late()),
        topics().routed(deadLetters()));
  }

  private void setJobState(String state) {
    GenericKubernetesResource edited =
        cluster
            .admin()
            .genericKubernetesResources(Cluster.FLINK_DEPLOYMENTS)
            .inNamespace(namespace)
            .withName(TARGET)
            .edit(
                deployment -> {
                  Map<String, Object> job = deployment.get("spec", "job");
                  job.put("state", state);
                  return deployment;
                });
    assertThat(edited.<String>get("spec", "job", "state")).isEqualTo(state);
  }

  /** Deletes the policy, if there is one. */
  void deletePolicy() {
    WatermarkPolicy policy = cluster.policy(namespace, POLICY);
    if (policy != null) {
      List<?> unused = cluster.admin().resource(policy).delete();
    }
  }

  /** Deletes policy and FlinkDeployment; the slots of the job are free afterwards. */
  @Override
  public void close() {
    deletePolicy();
    GenericKubernetesResource deployment = cluster.deployment(namespace, TARGET);
    if (deployment != null) {
      List<?> unused = cluster.admin().resource(deployment).delete();
      await("the end of the job")
          .atMost(Cluster.PATIENCE)
          .until(() -> cluster.deployment(namespace, TARGET) == null);
    }
  }
}
