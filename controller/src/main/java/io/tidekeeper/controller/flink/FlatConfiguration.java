package io.tidekeeper.controller.flink;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * {@code spec.flinkConfiguration}, which newer operators accept as nested YAML with numbers and
 * lists, made flat as the operator makes it flat. Where a key is written in both forms the flat one
 * counts.
 */
final class FlatConfiguration {

  final SortedMap<String, String> values = new TreeMap<>();
  final SortedSet<String> nested = new TreeSet<>();
  final SortedSet<String> clashes = new TreeSet<>();

  FlatConfiguration(JsonNode configuration) {
    configuration
        .properties()
        .forEach(
            entry -> {
              if (entry.getValue().isObject()) {
                descend(entry.getKey(), entry.getValue());
              }
            });
    configuration
        .properties()
        .forEach(
            entry -> {
              if (!entry.getValue().isObject() && !entry.getValue().isNull()) {
                if (values.put(entry.getKey(), text(entry.getValue())) != null) {
                  clashes.add(entry.getKey());
                }
              }
            });
  }

  private void descend(String prefix, JsonNode object) {
    object
        .properties()
        .forEach(
            entry -> {
              String key = prefix + "." + entry.getKey();
              if (entry.getValue().isObject()) {
                descend(key, entry.getValue());
              } else if (!entry.getValue().isNull()) {
                nested.add(key);
                if (values.put(key, text(entry.getValue())) != null) {
                  clashes.add(key);
                }
              }
            });
  }

  private static String text(JsonNode value) {
    if (!value.isArray()) {
      return value.asText();
    }
    List<String> elements = new ArrayList<>();
    value.forEach(element -> elements.add(element.asText()));
    return String.join(";", elements);
  }
}
