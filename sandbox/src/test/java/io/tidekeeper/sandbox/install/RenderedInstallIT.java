package io.tidekeeper.sandbox.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.tidekeeper.sandbox.kube.KubeApi;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What kustomize renders, put before a real API server. */
@NullUnmarked
class RenderedInstallIT {
  private static final String CRD = "CustomResourceDefinition";
  private static final String PROMETHEUS_OPERATOR = "monitoring.coreos.com/v1";

  /** What a runbook tells to change; the rest of its commands only look. */
  private static final Pattern CHANGE =
      Pattern.compile("^kubectl \\S+ \\S+ (?:patch|annotate) .*$", Pattern.MULTILINE);

  @TempDir static Path folder;

  private static KubeApi api;

  @BeforeAll
  static void start() {
    System.setProperty(KubeApi.KUBECONFIG_PROPERTY, "");
    if (unavailableReason() != null) {
      return;
    }
    api =
        KubeApi.in(folder.resolve("api"))
            .manifests(Path.of("src/test/resources/install/flinkdeployments.yaml"))
            .start();
    // Namespaces and the policies' definition come first for real: the rest is tried in them.
    List<HasMetadata> first =
        rendered("all").stream()
            .filter(object -> List.of(CRD, "Namespace").contains(object.getKind()))
            .toList();
    assertThat(kubectl("apply", "--server-side", "-f", write("first.yaml", first)))
        .contains("watermarkpolicies.tidekeeper.io serverside-applied");
    kubectl("wait", "--for=condition=Established", "crd/watermarkpolicies.tidekeeper.io");
  }

  @BeforeEach
  void skipWhereItCannotRun() {
    String reason = unavailableReason();
    if (reason != null) {
      Assumptions.abort(reason);
    }
  }

  @AfterAll
  static void stop() {
    System.clearProperty(KubeApi.KUBECONFIG_PROPERTY);
    if (api != null) {
      api.close();
    }
  }

  @Test
  void theServerTakesAllThatItKnowsOf() {
    List<HasMetadata> known =
        rendered("all").stream()
            .filter(object -> !object.getApiVersion().equals(PROMETHEUS_OPERATOR))
            .toList();

    String said =
        kubectl("apply", "--server-side", "--dry-run=server", "-f", write("known.yaml", known));

    assertThat(said.lines())
        .hasSameSizeAs(known)
        .allMatch(line -> line.endsWith("serverside-applied (server dry run)"));
    assertThat(known)
        .extracting(HasMetadata::getKind)
        .contains(CRD, "ClusterRole", "Deployment", "FlinkDeployment", "WatermarkPolicy");
  }

  @Test
  void theDefaultInstallIsThePartThatNeedsNoOtherOperator() {
    List<String> all = rendered("all").stream().map(RenderedInstallIT::id).toList();
    List<HasMetadata> product = rendered("default");

    assertThat(all)
        .doesNotHaveDuplicates()
        .containsAll(product.stream().map(RenderedInstallIT::id).toList());
    assertThat(product)
        .extracting(HasMetadata::getApiVersion)
        .noneMatch(version -> version.startsWith("flink.") || version.equals(PROMETHEUS_OPERATOR));
    assertThat(rendered("all"))
        .filteredOn(object -> object.getApiVersion().equals(PROMETHEUS_OPERATOR))
        .extracting(HasMetadata::getKind)
        .contains("PrometheusRule", "PodMonitor");
  }

  @Test
  void theControllersPodsAreAdmittedWhereOnlyRestrictedOnesAre() {
    PodTemplateSpec template = controller().getSpec().getTemplate();
    assertThat(template.getSpec().getContainers())
        .singleElement()
        .returns(true, c -> c.getSecurityContext().getReadOnlyRootFilesystem())
        .returns("ghcr.io/tidekeeper/controller:0.1.0", c -> c.getImage());
    Pod pod = pod("tidekeeper-system", template);

    api.adminClient().resource(pod).dryRun(true).create();

    pod.getSpec().getSecurityContext().setRunAsNonRoot(null);
    assertThatThrownBy(() -> api.adminClient().resource(pod).dryRun(true).create())
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("violates PodSecurity \"restricted:latest\"");
  }

  @Test
  void theJobsPodsAreAdmittedToo() {
    GenericKubernetesResource subway = Shipped.subway();
    Object podTemplate = subway.get("spec", "podTemplate");
    String image = subway.get("spec", "image");
    PodTemplateSpec template =
        Serialization.unmarshal(Serialization.asYaml(podTemplate), PodTemplateSpec.class);
    // The operator fills it in.
    template.getSpec().getContainers().forEach(container -> container.setImage(image));

    api.adminClient().resource(pod("transit", template)).dryRun(true).create();
  }

  @Test
  void theControllersPartsFindEachOther() {
    List<HasMetadata> product = rendered("default");
    Deployment controller = controller();
    var podLabels = controller.getSpec().getTemplate().getMetadata().getLabels();

    assertThat(podLabels).containsAllEntriesOf(controller.getSpec().getSelector().getMatchLabels());
    assertThat(product)
        .filteredOn(object -> object.getKind().equals("PodDisruptionBudget"))
        .singleElement()
        .extracting("spec.selector.matchLabels")
        .satisfies(labels -> assertThat(podLabels).isEqualTo(labels));
    assertThat(product)
        .filteredOn(object -> object.getKind().equals("ServiceAccount"))
        .singleElement()
        .returns(
            controller.getSpec().getTemplate().getSpec().getServiceAccountName(),
            account -> account.getMetadata().getName());
  }

  @Test
  void theRunbooksCommandsAreTaken() {
    kubectl(
        "apply",
        "--server-side",
        "-f",
        Shipped.K8S.resolve("samples/subway-policy.yaml").toString());
    kubectl(
        "apply",
        "--server-side",
        "-f",
        Shipped.K8S.resolve("jobs/subway/flink-deployment.yaml").toString());
    List<String> changes =
        Shipped.runbooks().stream()
            .flatMap(file -> CHANGE.matcher(Shipped.read(file).replace("\\\n", "")).results())
            .map(MatchResult::group)
            .toList();

    assertThat(changes).hasSizeGreaterThan(4);
    String access = " --kubeconfig '%s' --dry-run=server".formatted(api.kubeconfig(KubeApi.ADMIN));
    for (String change : changes) {
      String said = run(List.of("bash", "-c", change.replaceFirst(" *(#|$)", access + " $1")));
      assertThat(said).as(change).containsAnyOf("patched", "annotated").doesNotContain("no change");
    }
  }

  private static Deployment controller() {
    return rendered("default").stream()
        .filter(Deployment.class::isInstance)
        .map(Deployment.class::cast)
        .findFirst()
        .orElseThrow();
  }

  private static Pod pod(String namespace, PodTemplateSpec template) {
    return new PodBuilder()
        .withNewMetadata()
        .withName("tried")
        .withNamespace(namespace)
        .endMetadata()
        .withSpec(template.getSpec())
        .build();
  }

  private static String id(HasMetadata object) {
    return "%s %s/%s"
        .formatted(
            object.getKind(), object.getMetadata().getNamespace(), object.getMetadata().getName());
  }

  private static List<HasMetadata> rendered(String overlay) {
    String yaml =
        run(List.of("kubectl", "kustomize", Shipped.K8S.resolve("overlays/" + overlay).toString()));
    return Objects.requireNonNull(api)
        .adminClient()
        .load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
        .items();
  }

  private static String write(String name, List<HasMetadata> objects) {
    String yaml = objects.stream().map(Serialization::asYaml).collect(Collectors.joining("\n"));
    try {
      return Files.writeString(folder.resolve(name), yaml).toString();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String kubectl(String... arguments) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("kubectl", "--kubeconfig", api.kubeconfig(KubeApi.ADMIN).toString()));
    command.addAll(List.of(arguments));
    return run(command);
  }

  private static String run(List<String> command) {
    Path output = folder.resolve("output.txt");
    Path errors = folder.resolve("errors.txt");
    try {
      int code =
          new ProcessBuilder(command)
              .redirectOutput(output.toFile())
              .redirectError(errors.toFile())
              .start()
              .waitFor();
      assertThat(code).as(() -> command + "\n" + Shipped.read(errors)).isZero();
      return Files.readString(output);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static String unavailableReason() {
    boolean kubectl =
        Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
            .anyMatch(part -> Files.isExecutable(Path.of(part, "kubectl")));
    return kubectl
        ? KubeApi.unavailableReason().orElse(null)
        : "kubectl is not on the PATH; it brings kustomize along";
  }
}
