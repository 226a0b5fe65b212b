package io.tidekeeper.sandbox.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.APIGroup;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.tidekeeper.controller.kubernetes.FinalizerWriter;
import io.tidekeeper.crds.WatermarkPolicy;
import io.tidekeeper.sandbox.kube.KubeApi;
import io.tidekeeper.sandbox.kube.KubeIdentity;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The shipped permissions on a real API server: what the controller needs, and not one verb more.
 */
@NullUnmarked
class ControllerPermissionsIT {
  private static final String SYSTEM = "tidekeeper-system";
  private static final String TRANSIT = "transit";
  private static final KubeIdentity CONTROLLER =
      KubeIdentity.serviceAccount(SYSTEM, "tidekeeper-controller");

  private static final String POLICIES = "tidekeeper.io/v1alpha1";
  private static final String FLINK = "flink.apache.org/v1beta1";

  private static final List<String> VERBS =
      List.of(
          "get",
          "list",
          "watch",
          "create",
          "update",
          "patch",
          "delete",
          "deletecollection",
          "impersonate",
          "bind",
          "escalate");

  private static final Set<String> EVERYWHERE =
      Set.of(
          "get tidekeeper.io/watermarkpolicies",
          "list tidekeeper.io/watermarkpolicies",
          "watch tidekeeper.io/watermarkpolicies",
          "patch tidekeeper.io/watermarkpolicies",
          "patch tidekeeper.io/watermarkpolicies/status",
          "get flink.apache.org/flinkdeployments",
          "list flink.apache.org/flinkdeployments",
          "watch flink.apache.org/flinkdeployments",
          "patch flink.apache.org/flinkdeployments",
          "create /events",
          "patch /events",
          "create events.k8s.io/events",
          "patch events.k8s.io/events",
          "get /namespaces",
          "list /namespaces",
          "watch /namespaces");

  private static final Set<String> AT_HOME =
      Set.of(
          "create coordination.k8s.io/leases",
          "get coordination.k8s.io/leases",
          "update coordination.k8s.io/leases",
          "patch coordination.k8s.io/leases");

  /** What the server lets everybody ask about themselves. */
  private static final Set<String> EVERYBODY =
      Set.of(
          "create authentication.k8s.io/selfsubjectreviews",
          "create authorization.k8s.io/selfsubjectaccessreviews",
          "create authorization.k8s.io/selfsubjectrulesreviews");

  @TempDir static Path folder;

  private static KubeApi api;
  private static KubernetesClient controller;

  @BeforeAll
  static void install() {
    System.setProperty(KubeApi.KUBECONFIG_PROPERTY, "");
    if (KubeApi.unavailableReason().isPresent()) {
      return;
    }
    api =
        KubeApi.in(folder.resolve("api"))
            .identity(CONTROLLER)
            .manifests(
                Path.of("src/test/resources/install/flinkdeployments.yaml"),
                Shipped.K8S.resolve("crd"),
                Shipped.K8S.resolve("controller/namespace.yaml"),
                Shipped.K8S.resolve("rbac"),
                Shipped.K8S.resolve("jobs/subway"),
                Shipped.K8S.resolve("samples"))
            .start();
    controller = api.clientFor(CONTROLLER.user());
  }

  @BeforeEach
  void skipWithoutAControlPlane() {
    KubeApi.unavailableReason().ifPresent(Assumptions::abort);
  }

  @AfterAll
  static void stop() {
    System.clearProperty(KubeApi.KUBECONFIG_PROPERTY);
    if (api != null) {
      controller.close();
      api.close();
    }
  }

  @Test
  void itMayDoWhatItsWorkNeedsAndNothingElse() {
    assertThat(allowedIn(TRANSIT)).isEqualTo(union(List.of(EVERYWHERE, EVERYBODY)));
    assertThat(allowedIn(SYSTEM)).isEqualTo(union(List.of(EVERYWHERE, EVERYBODY, AT_HOME)));
  }

  @Test
  void itReadsPoliciesAndKeepsItsRecordAndItsFinalizerOnThem() {
    assertThat(
            controller
                .genericKubernetesResources(POLICIES, "WatermarkPolicy")
                .inAnyNamespace()
                .list()
                .getItems())
        .extracting(policy -> policy.getMetadata().getName())
        .containsExactly("subway");

    GenericKubernetesResource status = named(POLICIES, "WatermarkPolicy", "subway");
    status.setAdditionalProperty("status", Map.of("observedGeneration", 1));
    controller.resource(status).subresource("status").patch(apply());
    GenericKubernetesResource stored = stored(POLICIES, "WatermarkPolicy", "subway");
    Object observed = stored.get("status", "observedGeneration");
    assertThat(observed).isEqualTo(1);

    FinalizerWriter finalizers = new FinalizerWriter(controller);
    WatermarkPolicy seen = policy();
    finalizers.write(seen, List.of("tidekeeper.io/rollout"));
    WatermarkPolicy held = policy();
    assertThat(held.getMetadata().getFinalizers()).containsExactly("tidekeeper.io/rollout");
    assertThat(held.getSpec()).isEqualTo(seen.getSpec());
    assertThat(held.getStatus()).isEqualTo(seen.getStatus());
    assertThatThrownBy(() -> finalizers.write(seen, List.of()))
        .as("from an old reading nothing is written")
        .isInstanceOfSatisfying(
            KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(409));
    finalizers.write(held, List.of());
    assertThat(policy().getMetadata().getFinalizers()).isEmpty();
    assertForbidden(() -> controller.resource(seen).delete());
  }

  @Test
  void itAppliesItsKeysToAFlinkDeploymentAndTouchesNothingElseOfIt() {
    controller.resource(keys("subway-traffic", "5s")).patch(apply());

    GenericKubernetesResource stored = stored(FLINK, "FlinkDeployment", "subway-traffic");
    Map<String, String> configuration = stored.get("spec", "flinkConfiguration");
    assertThat(configuration)
        .containsEntry("tidekeeper.default.watermark.bounded.max-out-of-orderness", "5s")
        .containsAllEntriesOf(Shipped.subwayConfiguration());

    GenericKubernetesResource status = named(FLINK, "FlinkDeployment", "subway-traffic");
    status.setAdditionalProperty("status", Map.of("lifecycleState", "STABLE"));
    assertForbidden(() -> controller.resource(status).subresource("status").patch(apply()));
    assertForbidden(() -> controller.resource(keys("gone", "5s")).patch(apply()));
    assertForbidden(() -> controller.resource(keys("new", "5s")).create());
    assertForbidden(() -> controller.resource(keys("subway-traffic", "5s")).delete());
  }

  @Test
  void itHoldsTheLeaseInItsOwnNamespaceOnly() {
    Lease held = controller.resource(lease(SYSTEM, 15)).create();
    held.getSpec().setLeaseDurationSeconds(20);
    controller.resource(held).update();
    controller
        .resource(lease(SYSTEM, 30))
        .fieldManager("tidekeeper")
        .forceConflicts()
        .serverSideApply();
    assertThat(controller.leases().inNamespace(SYSTEM).withName("tidekeeper").get().getSpec())
        .returns(30, spec -> spec.getLeaseDurationSeconds());

    assertForbidden(() -> controller.resource(lease(TRANSIT, 15)).create());
    assertForbidden(() -> controller.leases().inNamespace(SYSTEM).withName("tidekeeper").delete());
  }

  @Test
  void itTellsWhatHappenedSeesTheBrakeAndReadsNoSecret() {
    controller
        .resource(
            new EventBuilder()
                .withNewMetadata()
                .withName("subway.1")
                .withNamespace(TRANSIT)
                .endMetadata()
                .withReason("RolloutStarted")
                .withType("Normal")
                .withNewInvolvedObject()
                .withApiVersion(POLICIES)
                .withKind("WatermarkPolicy")
                .withNamespace(TRANSIT)
                .withName("subway")
                .endInvolvedObject()
                .build())
        .create();
    assertThat(controller.namespaces().withName(TRANSIT).get()).isNotNull();

    assertForbidden(() -> controller.namespaces().withName(TRANSIT).delete());
    assertForbidden(() -> controller.secrets().inNamespace(SYSTEM).list());
    assertForbidden(() -> controller.configMaps().inNamespace(TRANSIT).list());
    assertForbidden(() -> controller.pods().inNamespace(TRANSIT).list());
  }

  private static Set<String> allowedIn(String namespace) {
    return Stream.concat(
            resources(),
            // Real to the authorizer, though no server lists them.
            Stream.of(
                "/users",
                "/groups",
                "tidekeeper.io/watermarkpolicies/finalizers",
                "flink.apache.org/flinkdeployments/finalizers",
                "flink.apache.org/flinksessionjobs"))
        .flatMap(resource -> VERBS.stream().map(verb -> verb + " " + resource))
        .filter(request -> mayI(namespace, request))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** All that the server knows, as {@code group/resource} or {@code group/resource/subresource}. */
  private static Stream<String> resources() {
    KubernetesClient admin = api.adminClient();
    Stream<String> core = names("", "v1");
    Stream<String> groups =
        admin.getApiGroups().getGroups().stream()
            .map(APIGroup::getPreferredVersion)
            .flatMap(
                version ->
                    names(
                        version.getGroupVersion().replaceFirst("/.*", ""),
                        version.getGroupVersion()));
    return Stream.concat(core, groups).distinct();
  }

  private static Stream<String> names(String group, String groupVersion) {
    return api.adminClient().getApiResources(groupVersion).getResources().stream()
        .map(resource -> group + "/" + resource.getName());
  }

  private static boolean mayI(String namespace, String request) {
    String[] verbAndPath = request.split(" ", 2);
    String[] path = verbAndPath[1].split("/", 3);
    return controller
        .authorization()
        .v1()
        .selfSubjectAccessReview()
        .create(
            new SelfSubjectAccessReviewBuilder()
                .withNewSpec()
                .withNewResourceAttributes()
                .withNamespace(namespace)
                .withVerb(verbAndPath[0])
                .withGroup(path[0])
                .withResource(path[1])
                .withSubresource(path.length > 2 ? path[2] : null)
                .endResourceAttributes()
                .endSpec()
                .build())
        .getStatus()
        .getAllowed();
  }

  private static Set<String> union(List<Set<String>> sets) {
    return sets.stream().flatMap(Set::stream).collect(Collectors.toCollection(TreeSet::new));
  }

  private static GenericKubernetesResource keys(String deployment, String bound) {
    GenericKubernetesResource keys = named(FLINK, "FlinkDeployment", deployment);
    keys.setAdditionalProperty(
        "spec",
        Map.of(
            "flinkConfiguration",
            Map.of("tidekeeper.default.watermark.bounded.max-out-of-orderness", bound)));
    return keys;
  }

  private static Lease lease(String namespace, int seconds) {
    return new LeaseBuilder()
        .withNewMetadata()
        .withName("tidekeeper")
        .withNamespace(namespace)
        .endMetadata()
        .withNewSpec()
        .withHolderIdentity("one")
        .withLeaseDurationSeconds(seconds)
        .endSpec()
        .build();
  }

  private static GenericKubernetesResource named(String apiVersion, String kind, String name) {
    return new GenericKubernetesResourceBuilder()
        .withApiVersion(apiVersion)
        .withKind(kind)
        .withNewMetadata()
        .withName(name)
        .withNamespace(TRANSIT)
        .endMetadata()
        .build();
  }

  private static GenericKubernetesResource stored(String apiVersion, String kind, String name) {
    return Objects.requireNonNull(
        api.adminClient()
            .genericKubernetesResources(apiVersion, kind)
            .inNamespace(TRANSIT)
            .withName(name)
            .get());
  }

  private static WatermarkPolicy policy() {
    return Objects.requireNonNull(
        controller.resources(WatermarkPolicy.class).inNamespace(TRANSIT).withName("subway").get());
  }

  private static PatchContext apply() {
    return new PatchContext.Builder()
        .withPatchType(PatchType.SERVER_SIDE_APPLY)
        .withFieldManager("tidekeeper")
        .withForce(false)
        .build();
  }

  private static void assertForbidden(Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(403));
  }
}
