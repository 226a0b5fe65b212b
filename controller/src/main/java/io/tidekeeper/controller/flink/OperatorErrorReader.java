package io.tidekeeper.controller.flink;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.jspecify.annotations.Nullable;

/** Reads {@code status.error}: JSON in a string, whose outer message is often only a wrapper. */
final class OperatorErrorReader {

  private static final int LONGEST = 600;

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
      return new OperatorError("Error", oneLine(text));
    }
    if (!error.isObject()) {
      return new OperatorError("Error", oneLine(text));
    }
    String type = error.path("type").asText("Error");
    String message = firstLine(error.path("message").asText());
    String cause = message;
    for (JsonNode throwable : error.path("throwableList")) {
      String deeper = firstLine(throwable.path("message").asText());
      if (!deeper.isEmpty()) {
        cause = deeper;
      }
    }
    boolean known = cause.isEmpty() || message.contains(cause);
    return new OperatorError(
        type.substring(type.lastIndexOf('.') + 1),
        oneLine(known ? message : message.isEmpty() ? cause : message + ": " + cause));
  }

  private static String firstLine(String text) {
    return text.strip().lines().findFirst().orElse("");
  }

  private static String oneLine(String text) {
    String line = text.strip().replaceAll("\\s+", " ");
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...";
  }
}
