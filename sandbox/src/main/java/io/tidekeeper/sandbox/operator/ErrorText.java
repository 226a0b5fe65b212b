package io.tidekeeper.sandbox.operator;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code status.error}: a JSON text with a message and the chain of causes. */
final class ErrorText {
  static final String SERIALIZED = "org.apache.flink.util.SerializedThrowable";

  private static final String OPERATOR = "org.apache.flink.kubernetes.operator.exception.";
  private static final String MAIN =
      "org.apache.flink.client.program.ProgramInvocationException: The main method caused an"
          + " error: ";
  private static final int MOST_CAUSES = 2;

  private ErrorText() {}

  /** A job whose {@code main} threw. */
  static String mainThrew(Jobs.JobNotStartedException failure) {
    return error(SERIALIZED, mainMessage(failure), causes(original(failure), true));
  }

  /** The messages of it and of its causes, as the event shows them. */
  static String chainOfMain(Jobs.JobNotStartedException failure) {
    Throwable original = original(failure);
    String first = "The main method caused an error: " + failure.getMessage();
    return original == null ? first : first + " -> " + chain(original);
  }

  static String stackTraceOfMain(Jobs.JobNotStartedException failure) {
    StringBuilder text = new StringBuilder(mainMessage(failure));
    Throwable original = original(failure);
    if (original != null) {
      for (StackTraceElement element : original.getStackTrace()) {
        text.append("\n\tat ").append(element);
      }
    }
    return text.toString();
  }

  /** A job that ran and failed for good. */
  static String failed(String stackTrace) {
    List<Cause> causes = new ArrayList<>();
    stackTrace
        .lines()
        .filter(line -> line.startsWith("Caused by: "))
        .limit(MOST_CAUSES)
        .forEach(line -> causes.add(new Cause(SERIALIZED, line.substring("Caused by: ".length()))));
    return error(SERIALIZED, stackTrace.lines().findFirst().orElse(""), causes);
  }

  static String savepoint(Jobs.SavepointFailedException failure) {
    return error(
        OPERATOR + "UpgradeFailureException",
        String.valueOf(failure.getMessage()),
        causes(failure.getCause(), false));
  }

  static String validation(String problem) {
    return error(OPERATOR + "ValidationException", problem, List.of());
  }

  /** Not in the form of the others, but as an operator writes it. */
  static String jobNotFound() {
    return "Job Not Found";
  }

  /** The messages from the outermost to the innermost, as events show them. */
  static String chain(Throwable failure) {
    List<String> messages = new ArrayList<>();
    for (Throwable t = failure; t != null; t = next(t)) {
      messages.add(String.valueOf(t.getMessage()));
    }
    return String.join(" -> ", messages);
  }

  private static String mainMessage(Jobs.JobNotStartedException failure) {
    return MAIN + failure.getMessage();
  }

  /** What {@code main} threw itself, without what carried it here. */
  private static @Nullable Throwable original(Jobs.JobNotStartedException failure) {
    for (Throwable t = failure; t != null; t = next(t)) {
      if (!(t instanceof Jobs.JobNotStartedException)
          && !t.getClass().getName().startsWith("io.tidekeeper.sandbox.")
          && !t.getClass().getName().startsWith("org.apache.flink.client.program.")) {
        return t;
      }
    }
    return null;
  }

  private static List<Cause> causes(@Nullable Throwable outermost, boolean serialized) {
    List<Cause> causes = new ArrayList<>();
    for (Throwable t = outermost; t != null && causes.size() < MOST_CAUSES; t = next(t)) {
      causes.add(
          serialized
              ? new Cause(SERIALIZED, t.toString())
              : new Cause(t.getClass().getName(), String.valueOf(t.getMessage())));
    }
    return causes;
  }

  private static @Nullable Throwable next(Throwable throwable) {
    return throwable.getCause() == throwable ? null : throwable.getCause();
  }

  private static String error(String type, String message, List<Cause> causes) {
    ObjectNode error = Json.object().put("type", type).put("message", message);
    error.putObject("additionalMetadata");
    ArrayNode list = error.putArray("throwableList");
    for (Cause cause : causes) {
      list.addObject()
          .put("type", cause.type)
          .put("message", cause.message)
          .putObject("additionalMetadata");
    }
    return error.toString();
  }

  private record Cause(String type, String message) {}
}
