package io.tidekeeper.sandbox.operator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** JSON as this package needs it. */
final class Json {
  static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  static JsonNode parse(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JSON: " + text, e);
    }
  }

  /** The text of a field, or null when the field is missing or null. */
  static @Nullable String text(JsonNode node, String field) {
    JsonNode value = node.path(field);
    return value.isMissingNode() || value.isNull() ? null : value.asText();
  }

  /** All leaves by their path with dots; a list is one leaf, its items joined by semicolons. */
  static Map<String, String> flatten(JsonNode node) {
    Map<String, String> leaves = new TreeMap<>();
    walk("", node, leaves::put);
    return leaves;
  }

  private static void walk(String path, JsonNode node, BiConsumer<String, String> leaf) {
    if (node.isObject()) {
      node.properties()
          .forEach(
              field ->
                  walk(
                      path.isEmpty() ? field.getKey() : path + "." + field.getKey(),
                      field.getValue(),
                      leaf));
    } else if (node.isArray()) {
      StringBuilder items = new StringBuilder();
      node.forEach(
          item ->
              items
                  .append(items.isEmpty() ? "" : ";")
                  .append(item.isValueNode() ? item.asText() : item));
      if (!items.isEmpty()) {
        leaf.accept(path, items.toString());
      }
    } else if (!node.isNull() && !node.isMissingNode()) {
      leaf.accept(path, node.asText());
    }
  }
}
