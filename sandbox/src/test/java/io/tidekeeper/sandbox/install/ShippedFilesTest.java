package io.tidekeeper.sandbox.install;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapVolumeSource;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.tidekeeper.job.live.FileState;
import io.tidekeeper.job.live.LiveDecision;
import io.tidekeeper.job.live.LiveOptions;
import io.tidekeeper.job.live.PolicyFile;
import io.tidekeeper.job.metric.JobMetric;
import io.tidekeeper.policy.PolicyOptions;
import io.tidekeeper.policy.PolicySettings;
import io.tidekeeper.policy.Problem;
import io.tidekeeper.sandbox.install.Shipped.Alert;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What can be said about the shipped files without a server. */
class ShippedFilesTest {

  /** Of Flink's Prometheus reporter, and ours. */
  private static final Pattern METRIC = Pattern.compile("\\bflink_\\w*_tidekeeper_\\w+");

  @Test
  void thresholdsAreNotInTheManifestSinceTheControllerOwnsThem() {
    assertThat(Shipped.subwayConfiguration().keySet()).noneMatch(PolicyOptions::owns);
  }

  @Test
  void theControllerCanRollTheJobAndFlinkCanRestoreIt() {
    Map<String, String> options = Shipped.subwayConfiguration();
    String upgradeMode = Shipped.subway().get("spec", "job", "upgradeMode");
    assertThat(upgradeMode).isEqualTo("savepoint");
    assertThat(options)
        .containsEntry("high-availability.type", "kubernetes")
        .containsKeys(
            "high-availability.storageDir",
            "execution.checkpointing.dir",
            "execution.checkpointing.savepoint-dir");
  }

  @Test
  void theJobManagerHasTheConfigMapWhereTheJobLooksForThePolicyFile() {
    List<Problem> problems = new ArrayList<>();
    LiveOptions live = LiveOptions.read(Shipped.subwayConfiguration(), problems);
    assertThat(problems).isEmpty();
    Path file = Path.of(Objects.requireNonNull(live.file()));

    PodSpec jobManager = podSpec("jobManager", "podTemplate");
    assertThat(jobManager.getVolumes())
        .singleElement()
        .satisfies(
            volume -> {
              ConfigMapVolumeSource source = volume.getConfigMap();
              assertThat(source.getName())
                  .isEqualTo(Shipped.subway().getMetadata().getName() + "-tidekeeper");
              assertThat(source.getOptional()).isTrue();
              assertThat(source.getItems()).as("each key is a file of its name").isEmpty();
            });
    // The operator merges the two lists by position.
    assertThat(jobManager.getContainers())
        .singleElement()
        .returns(
            podSpec("podTemplate").getContainers().get(0).getName(),
            container -> container.getName())
        .extracting(
            container -> container.getVolumeMounts(),
            as(InstanceOfAssertFactories.list(VolumeMount.class)))
        .singleElement()
        .returns(jobManager.getVolumes().get(0).getName(), mount -> mount.getName())
        .returns(String.valueOf(file.getParent()), mount -> mount.getMountPath())
        .returns(null, mount -> mount.getSubPath())
        .returns(null, mount -> mount.getSubPathExpr());

    ConfigMap example = exampleOfAConfigMap();
    assertThat(example.getMetadata().getName())
        .isEqualTo(jobManager.getVolumes().get(0).getConfigMap().getName());
    assertThat(example.getData()).containsOnlyKeys(String.valueOf(file.getFileName()));
  }

  @Test
  void theExampleOfAChangeWithoutARestartIsOneOfTheShippedPolicy(@TempDir Path folder)
      throws IOException {
    PolicySettings started = Shipped.subwayPolicy();
    Path file = folder.resolve("policy.properties");
    Files.writeString(file, exampleOfAConfigMap().getData().get("policy.properties"));

    LiveDecision decision = LiveDecision.decide(started, started, PolicyFile.read(file));

    assertThat(decision.state()).as(decision.message()).isEqualTo(FileState.IN_FORCE);
    Map<String, String> before = new TreeMap<>(PolicyOptions.write(started));
    Map<String, String> after = new TreeMap<>(PolicyOptions.write(decision.inForce()));
    assertThat(before.remove("tidekeeper.default.watermark.schedule.default")).isEqualTo("5s");
    assertThat(after.remove("tidekeeper.default.watermark.schedule.default")).isEqualTo("20s");
    after.remove(PolicyOptions.REVISION);
    before.remove(PolicyOptions.REVISION);
    assertThat(after).isEqualTo(before);
  }

  private static ConfigMap exampleOfAConfigMap() {
    return Shipped.blocks(Shipped.LIVE_CHANGE, "yaml").stream()
        .filter(block -> block.contains("kind: ConfigMap\n"))
        .map(block -> Serialization.unmarshal(block, ConfigMap.class))
        .findFirst()
        .orElseThrow();
  }

  private static PodSpec podSpec(String... template) {
    Object[] path = Stream.concat(Stream.of("spec"), Stream.of(template)).toArray();
    Object podTemplate = Shipped.subway().get(path);
    return Serialization.unmarshal(Serialization.asYaml(podTemplate), PodTemplateSpec.class)
        .getSpec();
  }

  @Test
  void metricsAreServedWhereTheyAreScrapedAndUnderTheJobsName() {
    Map<String, String> options = Shipped.subwayConfiguration();
    List<Map<String, Object>> containers =
        Shipped.subway().get("spec", "podTemplate", "spec", "containers");
    assertThat(containers)
        .singleElement()
        .extracting("ports")
        .isEqualTo(
            List.of(
                Map.of(
                    "name",
                    "metrics",
                    "containerPort",
                    Integer.valueOf(options.getOrDefault("metrics.reporter.prom.port", "0")))));
    assertThat(options)
        .containsEntry("metrics.reporter.prom.filterLabelValueCharacters", "false")
        .containsEntry("pipeline.name", Shipped.subway().getMetadata().getName());
  }

  @Test
  void eachAlertHasItsRunbookAndEachRunbookItsAlert() {
    assertThat(Shipped.alerts()).hasSameSizeAs(Shipped.runbooks());
    for (Alert alert : Shipped.alerts()) {
      assertThat(Shipped.runbooks())
          .filteredOn(file -> alert.annotations().contains("/docs/runbooks/" + file.getFileName()))
          .singleElement()
          .extracting(Shipped::read, as(STRING))
          .startsWith("# " + alert.name() + "\n")
          .containsSubsequence(
              "\n## Meaning\n", "\n## Impact\n", "\n## Diagnosis\n", "\n## Mitigation\n");
    }
  }

  @Test
  void eachAlertHasTestsInWhichItFiresAndInWhichItStaysSilent() {
    List<JsonNode> expectations =
        files(Shipped.K8S.resolve("monitoring/tests"))
            .flatMap(file -> Shipped.yaml(file).get("tests").findValues("alert_rule_test").stream())
            .flatMap(tests -> StreamSupport.stream(tests.spliterator(), false))
            .toList();
    for (Alert alert : Shipped.alerts()) {
      assertThat(expectations)
          .filteredOn(test -> test.get("alertname").asText().equals(alert.name()))
          .as(alert.name())
          .anyMatch(test -> !test.get("exp_alerts").isEmpty())
          .anyMatch(test -> test.get("exp_alerts").isEmpty());
    }
    assertThat(expectations)
        .extracting(test -> test.get("alertname").asText())
        .isSubsetOf(Shipped.alerts().stream().map(Alert::name).toList());
  }

  /** Also in the tests of alerts: a misspelt series would let an alert be silent for ever. */
  @Test
  void metricsThatAlertsTheirTestsAndDocsNameAreInTheCatalogue() {
    Set<String> catalogue =
        Stream.of(JobMetric.values()).map(JobMetric::prometheusName).collect(Collectors.toSet());
    for (Path folder : List.of(Shipped.K8S, Shipped.DOCS)) {
      Set<String> named =
          files(folder)
              .flatMap(file -> METRIC.matcher(Shipped.read(file)).results())
              .map(MatchResult::group)
              .collect(Collectors.toCollection(TreeSet::new));
      assertThat(named).as(folder.toString()).isNotEmpty().isSubsetOf(catalogue);
    }
    assertThat(Shipped.alerts())
        .allSatisfy(alert -> assertThat(alert.expression()).containsPattern(METRIC));
  }

  private static Stream<Path> files(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
