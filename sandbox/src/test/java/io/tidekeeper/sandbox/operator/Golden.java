package io.tidekeeper.sandbox.operator;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What the real operator did in one scenario. */
record Golden(String scenario) {
  private static final String VERSION = "1.15.0";

  List<String> looks() {
    return Looks.of(lines(scenario + ".jsonl").stream().map(line -> line.path("object")).toList());
  }

  /** {@code type reason component}, in the order in which they came or were counted up. */
  List<String> events() {
    return lines(scenario + ".events.jsonl").stream()
        .map(
            event ->
                "%s %s %s"
                    .formatted(
                        event.path("type").asText(),
                        event.path("reason").asText(),
                        event.path("component").asText()))
        .toList();
  }

  private static List<JsonNode> lines(String file) {
    String resource = "/golden/%s/%s".formatted(VERSION, file);
    try (InputStream in = Golden.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("there is no " + resource);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(Json::parse)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
