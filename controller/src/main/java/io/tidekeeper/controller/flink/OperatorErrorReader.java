package io.tidekeeper.controller.flink;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code status.error}: JSON in a string, whose outer message is often only a wrapper. */
final class OperatorErrorReader {

  /** Enough for a list of several problems, and for an Event that says more. */
  private static final int LONGEST = 900;

  private static final String SERIALIZED = ".SerializedThrowable";

  private static final Pattern STACK_TRACE =
      Pattern.compile("\\R\\s*(at \\S|Caused by: |\\.\\.\\. \\d+ more)");
  private static final Pattern EXCEPTION = Pattern.compile("([\\w$]+\\.)+[\\w$]+: ");

  private final ObjectMapper mapper;

  OperatorErrorReader(ObjectMapper mapper) {
    this.mapper = mapper;
  }

  @Nullable OperatorError read(String text) {
    if (text.isBlank()) {
      return null;
    }
    JsonNode error;
    try {
      error = mapper.readTree(text);
    } catch (JsonProcessingException e) {
      // An operator that writes plain text is still understood.
      return new OperatorError("Error", shortened(oneLine(text)));
    }
    if (!error.isObject()) {
      return new OperatorError("Error", shortened(oneLine(text)));
    }
    String type = error.path("type").asText("Error");
    String message = oneLine(error.path("message").asText());
    String cause = message;
    for (JsonNode throwable : error.path("throwableList")) {
      String deeper = oneLine(throwable.path("message").asText());
      if (!deeper.isEmpty()) {
        cause = deeper;
      }
    }
    boolean known = message.contains(withoutException(cause));
    Matcher exception = EXCEPTION.matcher(message);
    if (type.endsWith(SERIALIZED) && exception.lookingAt()) {
      // The type tells only how it travelled; what it was stands at the head of the message.
      type = exception.group().replaceFirst(": $", "");
      message = message.substring(exception.end());
    }
    return new OperatorError(
        type.substring(type.lastIndexOf('.') + 1),
        shortened(known ? message : message.isEmpty() ? cause : message + ": " + cause));
  }

  /** All that was said, up to the stack trace. */
  private static String oneLine(String text) {
    return STACK_TRACE.split(text.strip(), 2)[0].replaceAll("\\s+", " ");
  }

  private static String withoutException(String message) {
    Matcher exception = EXCEPTION.matcher(message);
    return exception.lookingAt() ? message.substring(exception.end()) : message;
  }

  private static String shortened(String line) {
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...";
  }
}
