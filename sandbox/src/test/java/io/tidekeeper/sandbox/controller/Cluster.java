package io.tidekeeper.sandbox.controller;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.tidekeeper.controller.app.ControllerSettings;
import io.tidekeeper.controller.app.TidekeeperController;
import io.tidekeeper.controller.job.RestAddress;
import io.tidekeeper.crds.PolicyCondition;
import io.tidekeeper.crds.TargetStatus;
import io.tidekeeper.crds.WatermarkPolicy;
import io.tidekeeper.sandbox.LocalPorts;
import io.tidekeeper.sandbox.kube.KubeApi;
import io.tidekeeper.sandbox.kube.KubeIdentity;
import io.tidekeeper.sandbox.operator.FlinkDeploymentCrd;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** An API server with both kinds of resources, and the controller's identity and rights. */
final class Cluster implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofMinutes(3);
  static final String JAR = "local:///opt/flink/usrlib/job.jar";
  static final ResourceDefinitionContext FLINK_DEPLOYMENTS =
      new ResourceDefinitionContext.Builder()
          .withGroup("flink.apache.org")
          .withVersion("v1beta1")
          .withKind("FlinkDeployment")
          .withPlural("flinkdeployments")
          .withNamespaced(true)
          .build();

  private static final Path CRD =
      Path.of("../k8s/crd/watermarkpolicies.tidekeeper.io-v1alpha1.yaml");
  private static final Path NAMESPACE = Path.of("../k8s/controller/namespace.yaml");
  private static final Path RBAC = Path.of("../k8s/rbac");
  static final KubeIdentity CONTROLLER =
      KubeIdentity.serviceAccount("tidekeeper-system", "tidekeeper-controller");
  private static final AtomicInteger NAMESPACES = new AtomicInteger();

  final KubeApi api;

  private Cluster(KubeApi api) {
    this.api = api;
  }

  /** Starts one; null where there is no control plane. */
  static @Nullable Cluster start(Path folder) {
    return KubeApi.unavailableReason().isPresent()
        ? null
        : new Cluster(
            KubeApi.in(folder.resolve("api"))
                .identity(CONTROLLER)
                .manifests(FlinkDeploymentCrd.writeTo(folder.resolve("crd")), CRD, NAMESPACE, RBAC)
                .start());
  }

  /** Leaves a test out where there is no control plane. */
  static void assume() {
    KubeApi.unavailableReason().ifPresent(Assumptions::abort);
  }

  /** A client that may do what the controller's service account may; the caller closes it. */
  KubernetesClient controllerClient() {
    return api.clientFor(CONTROLLER.user());
  }

  /** The same as a kubeconfig file. */
  Path controllerKubeconfig() {
    return api.kubeconfig(CONTROLLER.user());
  }

  KubernetesClient admin() {
    return api.adminClient();
  }

  /** A namespace nobody has used. */
  String newNamespace() {
    String name = "n" + NAMESPACES.incrementAndGet();
    admin()
        .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
        .create();
    return name;
  }

  /** Settings for a single replica that listens on 127.0.0.1. */
  static ControllerSettings settings(String restAddress) {
    return new ControllerSettings(
        Set.of(),
        new RestAddress(restAddress),
        false,
        new InetSocketAddress(LocalPorts.loopback(), 0),
        null);
  }

  /** Starts a controller under its own identity. */
  TidekeeperController controller(KubernetesClient client, ControllerSettings settings) {
    return TidekeeperController.start(settings, client, Clock.systemUTC(), () -> {});
  }

  /** Creates a FlinkDeployment as its owner would. */
  GenericKubernetesResource deploy(String namespace, String name, Map<String, String> options) {
    return deploy(namespace, name, "io.tidekeeper.Job", options);
  }

  /** The same of a job with this main class. */
  GenericKubernetesResource deploy(
      String namespace, String name, String entryClass, Map<String, String> options) {
    Map<String, Object> job =
        Map.of(
            "jarURI",
            JAR,
            "entryClass",
            entryClass,
            "parallelism",
            2,
            "upgradeMode",
            "savepoint",
            "state",
            "running");
    return admin()
        .resource(
            new GenericKubernetesResourceBuilder()
                .withApiVersion("flink.apache.org/v1beta1")
                .withKind("FlinkDeployment")
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .endMetadata()
                .addToAdditionalProperties(
                    "spec",
                    Map.of("flinkVersion", "v2_2", "flinkConfiguration", options, "job", job))
                .build())
        .create();
  }

  @Nullable GenericKubernetesResource deployment(String namespace, String name) {
    return admin()
        .genericKubernetesResources(FLINK_DEPLOYMENTS)
        .inNamespace(namespace)
        .withName(name)
        .get();
  }

  /** The Flink configuration of a deployment. */
  Map<String, String> configuration(String namespace, String name) {
    GenericKubernetesResource deployment = deployment(namespace, name);
    Map<String, String> options =
        deployment == null ? null : deployment.get("spec", "flinkConfiguration");
    return options == null ? Map.of() : options;
  }

  /** Applies server-side as somebody else. */
  void applyAs(String manager, GenericKubernetesResource object) {
    admin()
        .resource(object)
        .patch(
            new PatchContext.Builder()
                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                .withFieldManager(manager)
                .withForce(false)
                .build());
  }

  /** Creates a policy that asks for a constant out-of-orderness. */
  WatermarkPolicy policy(String namespace, String name, String bound, String... targets) {
    return create(namespace, name, spec(bound, List.of(targets), ""));
  }

  WatermarkPolicy create(String namespace, String name, String spec) {
    return admin().resource(read(namespace, name, spec)).create();
  }

  /** Changes the spec of a policy. */
  void change(String namespace, String name, String spec) {
    WatermarkPolicy wanted = read(namespace, name, spec);
    edit(namespace, name, policy -> policy.setSpec(wanted.getSpec()));
  }

  void annotate(String namespace, String name, String key, String value) {
    edit(namespace, name, policy -> policy.getMetadata().getAnnotations().put(key, value));
  }

  /** Reads and writes again when the controller has written in between, as kubectl does. */
  private void edit(String namespace, String name, Consumer<WatermarkPolicy> change) {
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsMatching(Cluster::isConflict)
        .until(
            () -> {
              admin()
                  .resources(WatermarkPolicy.class)
                  .inNamespace(namespace)
                  .withName(name)
                  .edit(
                      policy -> {
                        change.accept(policy);
                        return policy;
                      });
              return true;
            });
  }

  private static boolean isConflict(Throwable failure) {
    return failure instanceof KubernetesClientException answer
        && answer.getCode() == HttpURLConnection.HTTP_CONFLICT;
  }

  private WatermarkPolicy read(String namespace, String name, String spec) {
    return admin()
        .getKubernetesSerialization()
        .unmarshal(
            """
            apiVersion: tidekeeper.io/v1alpha1
            kind: WatermarkPolicy
            metadata: {name: %s, namespace: %s}
            spec:
            %s
            """
                .formatted(name, namespace, spec.indent(2)),
            WatermarkPolicy.class);
  }

  /** A spec of a constant out-of-orderness, with more of its rollout block. */
  static String spec(String bound, List<String> targets, String rollout) {
    String refs = String.join(", ", targets.stream().map(t -> "{name: " + t + "}").toList());
    return """
    targetRefs: [%s]
    watermark: {type: Bounded, bounded: {maxOutOfOrderness: %s}, idleTimeout: 5s}
    rollout: {cooldown: 0s, healthyFor: 2s%s}
    """
        .formatted(refs, bound, rollout.isEmpty() ? "" : ", " + rollout);
  }

  @Nullable WatermarkPolicy policy(String namespace, String name) {
    return admin().resources(WatermarkPolicy.class).inNamespace(namespace).withName(name).get();
  }

  /** Waits until the first target of a policy is like this. */
  TargetStatus awaitTarget(String namespace, String name, Predicate<TargetStatus> wanted) {
    return await("a target of policy " + name)
        .atMost(PATIENCE)
        .until(
            () -> firstTarget(policy(namespace, name)),
            target -> target != null && wanted.test(target));
  }

  TargetStatus awaitReason(String namespace, String name, String reason) {
    return await("reason " + reason + " of policy " + name)
        .atMost(PATIENCE)
        .until(
            () -> firstTarget(policy(namespace, name)),
            target -> target != null && reason.equals(target.reason()));
  }

  private static @Nullable TargetStatus firstTarget(@Nullable WatermarkPolicy policy) {
    return policy == null || policy.getStatus() == null || policy.getStatus().targets().isEmpty()
        ? null
        : policy.getStatus().targets().get(0);
  }

  PolicyCondition condition(String namespace, String name, String type) {
    WatermarkPolicy policy = Objects.requireNonNull(policy(namespace, name));
    return policy.getStatus().conditions().stream()
        .filter(condition -> condition.type().equals(type))
        .findFirst()
        .orElseThrow();
  }

  /** The reasons and types of the Events of a policy, in the order of their times. */
  List<String> events(String namespace, String policy) {
    return admin().events().v1().events().inNamespace(namespace).list().getItems().stream()
        .filter(event -> event.getRegarding().getName().equals(policy))
        .sorted((a, b) -> time(a).compareTo(time(b)))
        .map(event -> event.getType() + " " + event.getReason())
        .toList();
  }

  private static String time(Event event) {
    return event.getEventTime() == null ? "" : event.getEventTime().getTime();
  }

  @Override
  public void close() {
    api.close();
  }
}
