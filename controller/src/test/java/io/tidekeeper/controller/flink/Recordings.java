package io.tidekeeper.controller.flink;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Recorded watch events of real operators, by version and scenario. */
public final class Recordings {

  private static final Path FOLDER = Path.of("src/test/resources/recordings");
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Recordings() {}

  /**
   * A watch event.
   *
   * @param millis since the scenario's first change
   * @param type ADDED, MODIFIED or DELETED
   * @param object the object
   */
  public record Event(long millis, String type, JsonNode object) {}

  /** All recorded scenarios, as {@code version/scenario}. */
  public static List<String> all() {
    try (Stream<Path> files = Files.walk(FOLDER)) {
      return files
          .filter(file -> file.toString().endsWith(".jsonl"))
          .map(file -> FOLDER.relativize(file).toString().replace(".jsonl", ""))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The events of {@code version/scenario}, oldest first. */
  public static List<Event> read(String scenario) {
    try {
      List<Event> events = new ArrayList<>();
      for (String line : Files.readAllLines(FOLDER.resolve(scenario + ".jsonl"))) {
        JsonNode event = MAPPER.readTree(line);
        events.add(
            new Event(
                event.path("tMs").asLong(), event.path("type").asText(), event.path("object")));
      }
      return events;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
