package io.tidekeeper.sandbox.operator;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a controller sees of a FlinkDeployment, look by look, in a form in which two runs can be
 * compared: ids, paths and times are numbered in the order of their appearance, generations count
 * from the first look.
 */
final class Looks {
  /** The option whose value is followed. */
  static final String KEY = "tidekeeper.default.max-delay";

  private static final String LAST_STATE = "KUBERNETES_OPERATOR_LAST_STATE";

  private final List<String> looks = new ArrayList<>();
  private final List<String> jobs = new ArrayList<>();
  private final List<String> savepoints = new ArrayList<>();
  private final List<String> starts = new ArrayList<>();
  private final long firstGeneration;

  private Looks(long firstGeneration) {
    this.firstGeneration = firstGeneration;
  }

  /**
   * Every look that differs from the one before; the objects are in the order of their versions.
   */
  static List<String> of(List<JsonNode> objects) {
    Looks looks = new Looks(generation(objects.get(0)));
    objects.forEach(looks::add);
    return looks.looks;
  }

  /** The same without those that need not be there; what is tried again and again counts twice. */
  static List<String> required(List<String> looks) {
    List<String> required = new ArrayList<>();
    for (String look : looks) {
      boolean repeats = !required.isEmpty() && required.get(required.size() - 1).equals(look);
      if (!repeats && !OptionalLook.is(look)) {
        required.add(look);
        dropThirdRound(required);
      }
    }
    return required;
  }

  private static void dropThirdRound(List<String> looks) {
    int size = looks.size();
    if (size >= 6
        && looks.subList(size - 2, size).equals(looks.subList(size - 4, size - 2))
        && looks.subList(size - 2, size).equals(looks.subList(size - 6, size - 4))) {
      looks.subList(size - 2, size).clear();
    }
  }

  private void add(JsonNode object) {
    JsonNode status = object.path("status");
    JsonNode job = status.path("jobStatus");
    JsonNode reconciliation = status.path("reconciliationStatus");
    long observed = status.path("observedGeneration").asLong(-1);
    String look =
        "gen+%d obs%s %s %s last[%s] stable[%s] jm %s job %s id%s from %s error %s started%s"
            .formatted(
                generation(object) - firstGeneration,
                observed < 0 ? " none" : "+" + (observed - firstGeneration),
                text(status, "lifecycleState"),
                text(reconciliation, "state"),
                spec(reconciliation, "lastReconciledSpec"),
                spec(reconciliation, "lastStableSpec"),
                text(status, "jobManagerDeploymentStatus"),
                text(job, "state"),
                number(jobs, value(job, "jobId")),
                savepoint(value(job, "upgradeSavepointPath")),
                error(value(status, "error")),
                number(starts, value(job, "startTime")));
    if (looks.isEmpty() || !looks.get(looks.size() - 1).equals(look)) {
      looks.add(look);
    }
  }

  private static long generation(JsonNode object) {
    return object.path("metadata").path("generation").asLong();
  }

  private static String spec(JsonNode reconciliation, String field) {
    String text = value(reconciliation, field);
    if (text == null) {
      return "";
    }
    JsonNode spec = Json.parse(text).path("spec");
    return "%s/%s/%s"
        .formatted(
            spec.path("job").path("state").asText(),
            spec.path("job").path("upgradeMode").asText(),
            spec.path("flinkConfiguration").path(KEY).asText());
  }

  private String savepoint(@Nullable String path) {
    if (path == null) {
      return "nothing";
    }
    if (path.equals(LAST_STATE)) {
      return "last-state";
    }
    String name = path.replaceFirst("/$", "").replaceFirst(".*/", "");
    return name.replaceFirst("-.*", "") + number(savepoints, name);
  }

  private static String error(@Nullable String error) {
    if (error == null) {
      return "none";
    }
    if (!error.startsWith("{")) {
      return "text(" + error + ")";
    }
    JsonNode json = Json.parse(error);
    String message = json.path("message").asText();
    String kind = json.path("type").asText().replaceFirst(".*\\.", "");
    return message.contains("main method caused an error")
        ? kind + "(main)"
        : kind + "(" + message + ")";
  }

  private static String number(List<String> seen, @Nullable String value) {
    if (value == null) {
      return " none";
    }
    if (!seen.contains(value)) {
      seen.add(value);
    }
    return "#" + seen.indexOf(value);
  }

  private static String text(JsonNode node, String field) {
    String value = value(node, field);
    return value == null ? "-" : value;
  }

  private static @Nullable String value(JsonNode node, String field) {
    return node.hasNonNull(field) ? node.get(field).asText() : null;
  }
}
