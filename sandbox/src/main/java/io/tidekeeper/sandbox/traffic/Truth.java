package io.tidekeeper.sandbox.traffic;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The file of what was sent: one JSON object a line. */
public final class Truth {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Truth() {}

  /** Writes the file anew; its directory is created. */
  public static void write(Path file, List<Sent> sent) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      try (BufferedWriter writer = Files.newBufferedWriter(file)) {
        for (Sent record : sent) {
          writer.write(MAPPER.writeValueAsString(record));
          writer.write('\n');
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the truth could not be written to " + file, e);
    }
  }

  /** Reads a file that {@link #write} wrote. */
  public static List<Sent> read(Path file) {
    List<Sent> sent = new ArrayList<>();
    try {
      for (String line : Files.readAllLines(file)) {
        sent.add(MAPPER.readValue(line, Sent.class));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the truth could not be read from " + file, e);
    }
    return sent;
  }
}
