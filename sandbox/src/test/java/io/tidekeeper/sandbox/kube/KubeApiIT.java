package io.tidekeeper.sandbox.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NullUnmarked
class KubeApiIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final KubeIdentity ROBOT = KubeIdentity.serviceAccount("default", "robot");

  @TempDir static Path folder;

  private static KubeApi api;

  @BeforeAll
  static void start() throws IOException {
    System.setProperty(KubeApi.KUBECONFIG_PROPERTY, "");
    if (KubeApi.unavailableReason().isPresent()) {
      return;
    }
    Path crd = resource("gauges.yaml");
    long started = System.nanoTime();
    api = KubeApi.in(folder.resolve("api")).identity(ROBOT).manifests(crd).start();
    System.out.printf(
        "The Kubernetes API server started in %.1f s%n", (System.nanoTime() - started) / 1e9);
  }

  /** For each test, because a class without tests would not be seen in the report. */
  @BeforeEach
  void skipWithoutAControlPlane() {
    KubeApi.unavailableReason().ifPresent(Assumptions::abort);
  }

  @AfterAll
  static void stop() {
    System.clearProperty(KubeApi.KUBECONFIG_PROPERTY);
    if (api == null) {
      return;
    }
    List<ProcessHandle> processes = api.processes();
    assertThat(processes).hasSize(3).allMatch(ProcessHandle::isAlive);
    long started = System.nanoTime();
    api.close();
    System.out.printf(
        "The Kubernetes API server stopped in %.1f s%n", (System.nanoTime() - started) / 1e9);
    assertThat(processes).noneMatch(ProcessHandle::isAlive);
    api.close();
  }

  @Test
  void rulesOfTheSchemaRefuseABadObjectWithTheirMessage() {
    GenericKubernetesResource bad = gauge("bad", Map.of("min", 5, "max", 3));

    KubernetesClientException refused =
        catchThrowableOfType(KubernetesClientException.class, () -> admin().resource(bad).create());

    assertThat(refused.getCode()).isEqualTo(422);
    assertThat(refused.getStatus().getMessage()).contains("min must not be above max");
    assertThat(admin().resource(gauge("good", Map.of("min", 3, "max", 5))).create()).isNotNull();
  }

  @Test
  void aFieldThatAnotherManagerOwnsIsAConflictThatNamesBoth() {
    apply(configMap("shared", Map.of("key", "theirs")), "somebody");

    KubernetesClientException conflict =
        catchThrowableOfType(
            KubernetesClientException.class,
            () -> apply(configMap("shared", Map.of("key", "ours")), "tidekeeper"));

    assertThat(conflict.getCode()).isEqualTo(409);
    assertThat(conflict.getStatus().getDetails().getCauses())
        .singleElement()
        .satisfies(
            cause -> {
              assertThat(cause.getReason()).isEqualTo("FieldManagerConflict");
              assertThat(cause.getField()).isEqualTo(".data.key");
              assertThat(cause.getMessage()).contains("\"somebody\"");
            });
    assertThat(admin().configMaps().withName("shared").get().getData())
        .containsEntry("key", "theirs");
  }

  @Test
  void theControllerMayDoNothingUntilItIsGranted() {
    apply(configMap("guarded", Map.of()), "test");
    try (KubernetesClient controller = api.clientFor(KubeApi.CONTROLLER)) {
      assertForbidden(() -> controller.configMaps().withName("guarded").get());

      grant("read-configmaps", "User", KubeApi.CONTROLLER);

      await()
          .atMost(PATIENCE)
          .ignoreException(KubernetesClientException.class)
          .until(() -> controller.configMaps().withName("guarded").get() != null);
      assertForbidden(() -> controller.configMaps().withName("guarded").delete());
      assertForbidden(() -> controller.secrets().list());
    }
  }

  @Test
  void aServiceAccountHasWhatItsRoleBindingsGrant() {
    apply(configMap("for-robots", Map.of()), "test");
    try (KubernetesClient robot = api.clientFor(ROBOT.user())) {
      assertForbidden(() -> robot.configMaps().withName("for-robots").get());

      grant("robots-read", "ServiceAccount", "robot");

      await()
          .atMost(PATIENCE)
          .ignoreException(KubernetesClientException.class)
          .until(() -> robot.configMaps().withName("for-robots").get() != null);
    }
  }

  @Test
  void anUnknownUserIsNamed() {
    assertThatThrownBy(() -> api.clientFor("nobody"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'nobody'")
        .hasMessageContaining(KubeApi.CONTROLLER);
  }

  @Test
  void ownedObjectsGoWithTheirOwner() {
    GenericKubernetesResource owner =
        admin().resource(gauge("owner", Map.of("min", 1, "max", 2))).create();
    ConfigMap owned =
        new ConfigMapBuilder(configMap("owned", Map.of()))
            .editMetadata()
            .addNewOwnerReference()
            .withApiVersion(owner.getApiVersion())
            .withKind(owner.getKind())
            .withName("owner")
            .withUid(owner.getMetadata().getUid())
            .endOwnerReference()
            .endMetadata()
            .build();
    admin().resource(owned).create();

    long deleted = System.nanoTime();
    admin().resource(owner).delete();

    await().atMost(PATIENCE).until(() -> admin().configMaps().withName("owned").get() == null);
    System.out.printf(
        "An owned object went %.1f s after its owner%n", (System.nanoTime() - deleted) / 1e9);
  }

  @Test
  void aDeletedNamespaceGoesAway() throws IOException {
    Path manifest = folder.resolve("namespace.yaml");
    Files.writeString(
        manifest,
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: inside, namespace: short-lived}
        ---
        apiVersion: v1
        kind: Namespace
        metadata: {name: short-lived}
        """);
    Manifests.apply(admin(), manifest);

    admin().namespaces().withName("short-lived").delete();

    await()
        .atMost(PATIENCE)
        .until(() -> admin().namespaces().withName("short-lived").get() == null);
  }

  @Test
  void manifestsOfAFolderAreAppliedDefinitionsFirst() throws IOException {
    Path manifests = Files.createDirectories(folder.resolve("manifests"));
    Files.writeString(
        manifests.resolve("a-resource.yaml"),
        """
        apiVersion: test.tidekeeper.io/v1
        kind: Valve
        metadata: {name: main}
        spec: {open: true}
        """);
    Files.copy(resource("valves.yaml"), manifests.resolve("b-definition.yaml"));
    Files.writeString(
        manifests.resolve("kustomization.yaml"), "resources: [a-resource.yaml, b-definition.yaml]");

    List<HasMetadata> applied = Manifests.apply(admin(), manifests);
    List<HasMetadata> again = Manifests.apply(admin(), manifests);

    assertThat(applied)
        .extracting(HasMetadata::getKind)
        .containsExactly("CustomResourceDefinition", "Valve");
    assertThat(applied.get(1).getMetadata().getNamespace()).isEqualTo("default");
    assertThat(again.get(1).getMetadata().getResourceVersion())
        .isEqualTo(applied.get(1).getMetadata().getResourceVersion());
  }

  @Test
  void aRefusedManifestNamesItsFileItsObjectAndTheReason() throws IOException {
    Path manifest = folder.resolve("refused.yaml");
    Files.writeString(
        manifest,
        """
        apiVersion: test.tidekeeper.io/v1
        kind: Gauge
        metadata: {name: upside-down}
        spec: {min: 2, max: 1}
        """);

    assertThatThrownBy(() -> Manifests.apply(admin(), manifest))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll(
            "refused.yaml", "Gauge upside-down", "cannot be applied", "min must not be above max")
        .hasCauseInstanceOf(KubernetesClientException.class);
  }

  @Test
  void aGivenKubeconfigIsUsedAndItsServerLeftRunning() {
    System.setProperty(KubeApi.KUBECONFIG_PROPERTY, api.kubeconfig(KubeApi.ADMIN).toString());
    try {
      KubeApi given = KubeApi.start(folder.resolve("given"));
      try (given;
          KubernetesClient controller = given.clientFor(KubeApi.CONTROLLER)) {
        assertThat(given.isStartedHere()).isFalse();
        assertThat(given.url()).isEqualTo(api.url());
        assertThat(given.adminClient().namespaces().withName("default").get()).isNotNull();
        assertForbidden(() -> controller.secrets().list());
      }
      assertThat(admin().namespaces().withName("default").get()).isNotNull();
    } finally {
      System.setProperty(KubeApi.KUBECONFIG_PROPERTY, "");
    }
  }

  @Test
  void kubectlTakesTheKubeconfigFiles() throws Exception {
    assumeTrue(isOnThePath("kubectl"), "kubectl is not on the PATH");

    assertThat(kubectl(KubeApi.ADMIN, "auth", "can-i", "delete", "secrets")).contains("yes");
    assertThat(kubectl(KubeApi.CONTROLLER, "auth", "can-i", "delete", "secrets")).contains("no");
  }

  @Test
  void dataOutliveAStopAndTheOldTokensDoNot() {
    Path home = folder.resolve("restarted");
    String oldToken;
    try (KubeApi first = KubeApi.start(home)) {
      first.adminClient().resource(configMap("kept", Map.of("key", "value"))).create();
      oldToken = first.configFor(KubeApi.ADMIN).getAutoOAuthToken();
    }
    try (KubeApi second = KubeApi.start(home)) {
      assertThat(second.adminClient().configMaps().withName("kept").get().getData())
          .containsEntry("key", "value");
      assertThat(second.configFor(KubeApi.ADMIN).getAutoOAuthToken()).isNotEqualTo(oldToken);
    }
  }

  @Test
  void anOpenWatchDoesNotHoldUpTheStop() {
    KubeApi watched = KubeApi.start(folder.resolve("watched"));
    try (watched;
        KubernetesClient watcher = watched.clientFor(KubeApi.ADMIN)) {
      SharedIndexInformer<ConfigMap> informer = watcher.configMaps().inAnyNamespace().inform();
      assertThat(informer.hasSynced()).isTrue();

      long started = System.nanoTime();
      watched.close();

      assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(9));
      assertThat(watched.processes()).hasSize(3).noneMatch(ProcessHandle::isAlive);
    }
  }

  @Test
  void nothingIsLeftWhenTheStarterIsKilled() throws Exception {
    Process starter =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-cp",
                System.getProperty("java.class.path"),
                "-D" + KubeApi.KUBECONFIG_PROPERTY + "=",
                Starter.class.getName(),
                folder.resolve("killed").toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<ProcessHandle> children;
    try (BufferedReader out = starter.inputReader(StandardCharsets.UTF_8)) {
      assertThat(out.readLine()).isEqualTo("started");
      children = starter.children().toList();
      assertThat(children).hasSize(3);
    } finally {
      starter.destroyForcibly();
    }

    await().atMost(PATIENCE).until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
  }

  /** Starts an API server and waits to be killed. */
  static final class Starter {
    private Starter() {}

    public static void main(String[] args) throws InterruptedException {
      try (KubeApi started = KubeApi.start(Path.of(args[0]))) {
        System.out.println(started.isStartedHere() ? "started" : "connected");
        Thread.sleep(Duration.ofMinutes(10).toMillis());
      }
    }
  }

  private static KubernetesClient admin() {
    return api.adminClient();
  }

  private static void apply(ConfigMap configMap, String manager) {
    admin()
        .resource(configMap)
        .patch(
            new PatchContext.Builder()
                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                .withFieldManager(manager)
                .withForce(false)
                .build());
  }

  private static ConfigMap configMap(String name, Map<String, String> data) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace("default")
        .endMetadata()
        .withData(data)
        .build();
  }

  private static GenericKubernetesResource gauge(String name, Map<String, Integer> spec) {
    return new GenericKubernetesResourceBuilder()
        .withApiVersion("test.tidekeeper.io/v1")
        .withKind("Gauge")
        .withNewMetadata()
        .withName(name)
        .withNamespace("default")
        .endMetadata()
        .addToAdditionalProperties("spec", spec)
        .build();
  }

  private static void grant(String role, String kind, String name) {
    admin()
        .resource(
            new RoleBuilder()
                .withNewMetadata()
                .withName(role)
                .withNamespace("default")
                .endMetadata()
                .addNewRule()
                .withApiGroups("")
                .withResources("configmaps")
                .withVerbs("get")
                .endRule()
                .build())
        .create();
    admin()
        .resource(
            new RoleBindingBuilder()
                .withNewMetadata()
                .withName(role)
                .withNamespace("default")
                .endMetadata()
                .withNewRoleRef("rbac.authorization.k8s.io", "Role", role)
                .addNewSubject()
                .withKind(kind)
                .withName(name)
                .withNamespace(kind.equals("ServiceAccount") ? "default" : null)
                .endSubject()
                .build())
        .create();
  }

  private static void assertForbidden(Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(403));
  }

  private static String kubectl(String user, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("kubectl", "--kubeconfig", api.kubeconfig(user).toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output;
  }

  private static boolean isOnThePath(String program) {
    for (String part : System.getenv("PATH").split(File.pathSeparator, -1)) {
      if (Files.isExecutable(Path.of(part, program))) {
        return true;
      }
    }
    return false;
  }

  private static Path resource(String name) {
    return Path.of("src/test/resources/kube", name).toAbsolutePath();
  }
}
