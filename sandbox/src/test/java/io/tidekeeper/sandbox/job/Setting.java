package io.tidekeeper.sandbox.job;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;

/**
 * One of the committed settings that must restore from each other's savepoints.
 *
 * @param name its file's name
 * @param options its {@code tidekeeper.*} options
 */
record Setting(String name, Map<String, String> options) {

  /** All of them, by name. */
  static List<Setting> all() {
    try (java.util.stream.Stream<Path> files =
        Files.list(
            Path.of(Objects.requireNonNull(Setting.class.getResource("/settings")).toURI()))) {
      return files.sorted().map(Setting::read).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Setting read(Path file) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, String> options = new TreeMap<>();
    properties.stringPropertyNames().forEach(key -> options.put(key, properties.getProperty(key)));
    return new Setting(String.valueOf(file.getFileName()), options);
  }

  boolean hasLateTopic() {
    return options.keySet().stream().anyMatch(key -> key.endsWith(".late.topic"));
  }

  boolean hasDeadLetterTopic() {
    return options.containsKey("tidekeeper.kafka.dead-letter-topic");
  }

  boolean allowsLateness() {
    return options.keySet().stream().anyMatch(key -> key.endsWith(".late.allowed-lateness"));
  }
}
