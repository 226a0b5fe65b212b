package io.tidekeeper.sandbox.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.tidekeeper.job.live.FileState;
import io.tidekeeper.job.live.LiveDecision;
import io.tidekeeper.job.live.PolicyFile;
import io.tidekeeper.policy.PolicyOptions;
import io.tidekeeper.policy.PolicySettings;
import io.tidekeeper.sandbox.kube.KubeApi;
import io.tidekeeper.sandbox.operator.FlinkDeploymentCrd;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
            // The operator's own definition: it knows every field of a pod template.
            .manifests(FlinkDeploymentCrd.writeTo(folder.resolve("crds")))
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
  void aFieldThatNoPodTemplateHasIsRefused() {
    HasMetadata wrong =
        Serialization.unmarshal(
            Serialization.asYaml(Shipped.subway()).replace("optional:", "optionally:"),
            GenericKubernetesResource.class);

    assertThatThrownBy(
            () ->
                kubectl(
                    "apply",
                    "--server-side",
                    "--dry-run=server",
                    "-f",
                    write("wrong.yaml", List.of(wrong))))
        .hasMessageContaining("configMap.optionally");
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
    JsonNode spec = Shipped.yaml(Shipped.SUBWAY).get("spec");
    JsonNode common = spec.get("podTemplate");
    JsonNode jobManager = merged(common, spec.at("/jobManager/podTemplate"));
    assertThat(jobManager.at("/spec/containers/0/ports/0/name").asText()).isEqualTo("metrics");
    assertThat(jobManager.at("/spec/containers/0/volumeMounts")).hasSize(1);
    for (JsonNode template : List.of(common, jobManager)) {
      PodTemplateSpec pods =
          Serialization.unmarshal(Serialization.asYaml(template), PodTemplateSpec.class);
      // The operator fills it in.
      pods.getSpec().getContainers().forEach(c -> c.setImage(spec.get("image").asText()));

      api.adminClient().resource(pod("transit", pods)).dryRun(true).create();
    }
  }

  /** As the operator merges pod templates: fields by name, lists by position. */
  private static JsonNode merged(JsonNode common, JsonNode more) {
    if (common instanceof ObjectNode fields && more instanceof ObjectNode others) {
      ObjectNode all = fields.deepCopy();
      others
          .properties()
          .forEach(
              field -> all.set(field.getKey(), merged(all.path(field.getKey()), field.getValue())));
      return all;
    }
    if (common instanceof ArrayNode elements && more instanceof ArrayNode others) {
      ArrayNode all = elements.deepCopy();
      for (int i = 0; i < others.size(); i++) {
        if (i < all.size()) {
          all.set(i, merged(all.get(i), others.get(i)));
        } else {
          all.add(others.get(i));
        }
      }
      return all;
    }
    return more;
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
    kubectl("apply", "--server-side", "-f", Shipped.SUBWAY.toString());
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

  @Test
  void theStepsOfAChangeWithoutARestartMakeAFileThatTheJobTakesOver() throws IOException {
    PolicySettings started = Shipped.subwayPolicy();
    kubectl("apply", "--server-side", "-f", Shipped.SUBWAY.toString());
    GenericKubernetesResource options =
        new GenericKubernetesResourceBuilder()
            .withApiVersion("flink.apache.org/v1beta1")
            .withKind("FlinkDeployment")
            .withMetadata(
                new ObjectMetaBuilder().withNamespace("transit").withName("subway-traffic").build())
            .build();
    options.setAdditionalProperty(
        "spec", Map.of("flinkConfiguration", PolicyOptions.write(started)));
    kubectl(
        "apply",
        "--server-side",
        "--field-manager=tidekeeper",
        "-f",
        write("options.yaml", List.of(options)));
    List<String> steps = Shipped.blocks(Shipped.LIVE_CHANGE, "sh");
    assertThat(steps).hasSize(3);

    String settings =
        "set -euo pipefail; cd '%s'; export KUBECONFIG='%s'\n"
            .formatted(folder, api.kubeconfig(KubeApi.ADMIN));
    String said = run(List.of("bash", "-c", settings + String.join("\n", steps)));

    assertThat(said).contains("configmap/subway-traffic-tidekeeper serverside-applied");
    ConfigMap published =
        api.adminClient()
            .configMaps()
            .inNamespace("transit")
            .withName("subway-traffic-tidekeeper")
            .get();
    Path mounted = folder.resolve("mounted.properties");
    Files.writeString(mounted, published.getData().get("policy.properties"));
    LiveDecision decision = LiveDecision.decide(started, started, PolicyFile.read(mounted));
    assertThat(decision.state()).as(decision.message()).isEqualTo(FileState.IN_FORCE);
    assertThat(PolicyOptions.write(decision.inForce()))
        .containsEntry("tidekeeper.default.watermark.schedule.default", "20s");
    assertThat(decision.inForce().revision())
        .isBetween(
            System.currentTimeMillis() - Duration.ofHours(1).toMillis(),
            System.currentTimeMillis());
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
