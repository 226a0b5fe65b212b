package io.tidekeeper.controller.flink;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Who owns which flat key of {@code spec.flinkConfiguration}, from {@code managedFields}. */
final class FieldManagers {

  private static final String FIELD = "f:";

  private FieldManagers() {}

  static Map<String, Set<String>> ofConfiguration(JsonNode managedFields) {
    Map<String, Set<String>> managers = new TreeMap<>();
    for (JsonNode entry : managedFields) {
      String manager = entry.path("manager").asText();
      entry
          .path("fieldsV1")
          .path("f:spec")
          .path("f:flinkConfiguration")
          .properties()
          .forEach(
              field -> {
                // Nested keys have members of their own; a flat key is a leaf.
                if (field.getKey().startsWith(FIELD) && field.getValue().isEmpty()) {
                  managers
                      .computeIfAbsent(
                          field.getKey().substring(FIELD.length()), key -> new TreeSet<>())
                      .add(manager);
                }
              });
    }
    return managers;
  }
}
