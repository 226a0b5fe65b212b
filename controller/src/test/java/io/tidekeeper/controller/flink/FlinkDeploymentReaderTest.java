package io.tidekeeper.controller.flink;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.tidekeeper.controller.flink.Recordings.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FlinkDeploymentReaderTest {

  private static final String KEY = "tidekeeper.default.max-delay";

  private final FlinkDeploymentReader reader = new FlinkDeploymentReader();

  static List<String> scenarios() {
    return Recordings.all();
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void every_recorded_object_is_read_and_every_value_is_known(String scenario)
      throws JsonProcessingException {
    ObjectMapper mapper = new ObjectMapper();
    for (Event event : Recordings.read(scenario)) {
      FlinkDeployment read = reader.read(event.object());
      assertThat(read.uid()).isNotEmpty();
      assertThat(read.generation()).isPositive();
      assertThat(read.application()).isTrue();
      assertThat(read.upgradeMode()).isEqualTo(UpgradeMode.SAVEPOINT);
      assertThat(read.operator().lifecycle()).isNotEqualTo(Lifecycle.UNKNOWN);
      assertThat(read.operator().jobState()).isNotEqualTo(JobState.UNKNOWN);
      assertThat(read.operator().jobManager()).isNotEqualTo(JobManagerState.UNKNOWN);
      assertThat(read.operator().reconciliation()).isNotEqualTo(ReconciliationState.UNKNOWN);
      GenericKubernetesResource generic =
          mapper.treeToValue(event.object(), GenericKubernetesResource.class);
      assertThat(reader.read(generic)).isEqualTo(read);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.10.0", "1.12.1", "1.15.0"})
  void an_upgrade_is_seen_step_by_step(String version) {
    List<String> steps = new ArrayList<>();
    for (Event event : Recordings.read(version + "/upgrade")) {
      FlinkDeployment read = reader.read(event.object());
      OperatorView operator = read.operator();
      String has =
          operator.reconciled() == null
              ? "-"
              : String.valueOf(operator.reconciled().configuration().get(KEY));
      String step =
          (read.observed() ? "" : "unobserved ")
              + operator.lifecycle()
              + " "
              + operator.jobManager()
              + " "
              + operator.jobState()
              + " "
              + has;
      if (steps.isEmpty() || !steps.get(steps.size() - 1).equals(step)) {
        steps.add(step);
      }
    }
    assertThat(steps)
        .containsSubsequence(
            "STABLE READY RUNNING 10s",
            "unobserved STABLE READY RUNNING 10s",
            "UPGRADING READY FINISHED 30s",
            "DEPLOYED DEPLOYING RECONCILING 30s",
            "DEPLOYED DEPLOYED_NOT_READY RECONCILING 30s",
            "STABLE READY RUNNING 30s");
  }

  @Test
  void operators_that_cannot_leave_a_failed_start_are_told_from_later_ones() {
    for (String version : List.of("1.10.0", "1.12.1", "1.15.0")) {
      List<Event> events = Recordings.read(version + "/upgrade");
      FlinkDeployment last = reader.read(events.get(events.size() - 1).object());
      assertThat(Objects.requireNonNull(last.operator().reconciled()).fromCurrentOperator())
          .as(version)
          .isEqualTo(!version.equals("1.10.0"));
      assertThat(last.operator().savepoint()).contains("savepoint-");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.10.0", "1.12.1", "1.15.0"})
  void a_failing_savepoint_shows_its_error_under_a_stable_lifecycle(String version) {
    List<FlinkDeployment> failing =
        Recordings.read(version + "/savepoint-blocked").stream()
            .map(event -> reader.read(event.object()))
            .filter(read -> read.operator().error() != null)
            .toList();
    assertThat(failing).isNotEmpty();
    assertThat(failing)
        .allSatisfy(
            read -> {
              assertThat(read.operator().lifecycle()).isEqualTo(Lifecycle.STABLE);
              assertThat(read.observed()).isFalse();
              OperatorError error = Objects.requireNonNull(read.operator().error());
              assertThat(error.type()).isEqualTo("UpgradeFailureException");
              assertThat(error.message()).startsWith("Savepoint Error").doesNotContain("\n");
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.12.1", "1.15.0"})
  void the_message_of_a_failed_main_is_the_one_main_gave(String version) {
    assertThat(Recordings.read(version + "/bad-value"))
        .extracting(event -> reader.read(event.object()).operator().error())
        .anySatisfy(
            error -> {
              assertThat(error).isNotNull();
              assertThat(Objects.requireNonNull(error).message()).contains("not-a-duration");
            });
  }

  @Test
  void all_that_main_said_is_kept_once_and_its_stack_trace_is_not() {
    String said =
        "2 problems in the tidekeeper options:\n  - tidekeeper.source.tram 'x': its sources are trips\n  - other";
    String trace = "\n\tat io.tidekeeper.Job.main(Job.java:1)\nCaused by: java.lang.Error: deep";
    assertThat(error("The main method caused an error: " + said, "a.b.C: " + said + trace))
        .isEqualTo(
            new OperatorError(
                "E",
                "The main method caused an error: 2 problems in the tidekeeper options:"
                    + " - tidekeeper.source.tram 'x': its sources are trips - other"));
    assertThat(error("Savepoint Error", "IO-problem" + trace).message())
        .isEqualTo("Savepoint Error: IO-problem");
    assertThat(error("x".repeat(5000), "").message()).hasSizeLessThan(1000).endsWith("...");
  }

  private OperatorError error(String message, String cause) {
    ObjectNode error = new ObjectMapper().createObjectNode();
    error.put("type", "a.b.E").put("message", message);
    error.putArray("throwableList").addObject().put("message", cause);
    ObjectNode resource = new ObjectMapper().createObjectNode();
    resource.putObject("status").put("error", error.toString());
    return Objects.requireNonNull(reader.read(resource).operator().error());
  }

  @Test
  void nested_keys_are_flattened_and_a_clash_is_named() {
    List<Event> events = Recordings.read("1.15.0/nested-config");
    FlinkDeployment nested = reader.read(events.get(0).object());
    assertThat(nested.configuration()).containsEntry(KEY, "10s");
    assertThat(nested.nestedKeys()).contains(KEY);
    assertThat(nested.clashes()).isEmpty();
    FlinkDeployment both =
        events.stream()
            .map(event -> reader.read(event.object()))
            .filter(read -> !read.clashes().isEmpty())
            .findFirst()
            .orElseThrow();
    assertThat(both.clashes()).containsExactly(KEY);
    assertThat(both.configuration()).as("the flat one counts").containsEntry(KEY, "30s");
    assertThat(both.managers()).containsEntry(KEY, Set.of("tidekeeper"));
  }

  @Test
  void owners_of_a_key_are_known() {
    FlinkDeployment read = reader.read(Recordings.read("1.15.0/upgrade").get(0).object());
    assertThat(read.managers())
        .containsEntry(KEY, Set.of("tidekeeper"))
        .containsEntry("rest.port", Set.of("platform"));
  }

  @Test
  void what_a_newer_operator_writes_is_unknown_and_breaks_nothing() throws JsonProcessingException {
    FlinkDeployment read =
        reader.read(
            new ObjectMapper()
                .readTree(
                    """
                    {"metadata": {"name": "a", "uid": "u", "generation": 3,
                        "ownerReferences": [{"kind": "FlinkBlueGreenDeployment", "name": "parent"}]},
                     "spec": {"flinkVersion": "v9_9", "novel": [1],
                        "job": {"upgradeMode": "telepathy", "state": "dreaming"},
                        "flinkConfiguration": {"a": 1, "b": true, "c": [1, 2], "d": null,
                            "e": {"f": {"g": "x"}}}},
                     "status": {"lifecycleState": "DREAMING", "jobStatus": {"state": "DREAMING"},
                        "jobManagerDeploymentStatus": "DREAMING", "error": "plain words",
                        "reconciliationStatus": {"state": "DREAMING",
                            "lastReconciledSpec": "not json"}}}
                    """));
    assertThat(read.upgradeMode()).isEqualTo(UpgradeMode.UNKNOWN);
    assertThat(read.suspended()).isFalse();
    assertThat(read.blueGreenParent()).isEqualTo("parent");
    assertThat(read.configuration())
        .containsEntry("a", "1")
        .containsEntry("b", "true")
        .containsEntry("c", "1;2")
        .containsEntry("e.f.g", "x")
        .doesNotContainKey("d");
    assertThat(read.operator().lifecycle()).isEqualTo(Lifecycle.UNKNOWN);
    assertThat(read.operator().jobState()).isEqualTo(JobState.UNKNOWN);
    assertThat(read.operator().error()).isEqualTo(new OperatorError("Error", "plain words"));
    assertThat(read.operator().reconciled())
        .as("unreadable is not the same as never reconciled")
        .isNotNull();
  }

  @Test
  void an_object_that_nobody_has_looked_at_is_unseen() throws JsonProcessingException {
    FlinkDeployment read =
        reader.read(
            new ObjectMapper()
                .readTree("{\"metadata\": {\"name\": \"a\", \"uid\": \"u\", \"generation\": 1}}"));
    assertThat(read.operator()).isEqualTo(OperatorView.UNSEEN);
    assertThat(read.application()).isFalse();
    assertThat(read.upgradeMode())
        .as("what holds when nothing is given")
        .isEqualTo(UpgradeMode.STATELESS);
  }
}
