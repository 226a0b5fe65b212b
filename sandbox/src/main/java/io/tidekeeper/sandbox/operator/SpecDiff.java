package io.tidekeeper.sandbox.operator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/**
 * What differs between the recorded and the wanted spec.
 *
 * @param changes each as {@code path : old -> new}
 * @param isUpgrade whether one of them needs a new job
 */
record SpecDiff(List<String> changes, boolean isUpgrade) {
  private static final String CONFIGURATION = "flinkConfiguration.";

  /** Changes of these are recorded and nothing else. */
  private static final List<String> IGNORED =
      List.of(
          CONFIGURATION + "kubernetes.operator.",
          CONFIGURATION + "job.autoscaler.",
          CONFIGURATION + "parallelism.default",
          "job.upgradeMode",
          "job.initialSavepointPath",
          "job.allowNonRestoredState",
          "job.savepointTriggerNonce",
          "job.checkpointTriggerNonce",
          "job.autoscalerResetNonce");

  static SpecDiff between(DeploymentSpec recorded, DeploymentSpec wanted) {
    Map<String, String> before = Json.flatten(recorded.json());
    Map<String, String> after = Json.flatten(wanted.json());
    TreeSet<String> paths = new TreeSet<>(before.keySet());
    paths.addAll(after.keySet());
    List<String> changes = new ArrayList<>();
    boolean isUpgrade = false;
    for (String path : paths) {
      if (!Objects.equals(before.get(path), after.get(path))) {
        changes.add("%s : %s -> %s".formatted(path, before.get(path), after.get(path)));
        isUpgrade |= IGNORED.stream().noneMatch(path::startsWith);
      }
    }
    return new SpecDiff(List.copyOf(changes), isUpgrade);
  }

  /** The message of the event SpecChanged. */
  String message() {
    return "UPGRADE change(s) detected (Diff: FlinkDeploymentSpec[%s]), starting reconciliation."
        .formatted(String.join(", ", changes));
  }
}
