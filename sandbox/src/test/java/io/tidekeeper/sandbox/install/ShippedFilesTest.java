package io.tidekeeper.sandbox.install;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.tidekeeper.policy.PolicyOptions;
import io.tidekeeper.sandbox.install.Shipped.Alert;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What can be said about the shipped files without a server. */
class ShippedFilesTest {

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
}
