package io.tidekeeper.crds;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rules of the house for the schema, and the folder of examples. */
class SchemaTest {

  private static final Set<String> YAML_BOOLEANS =
      Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null", "~");

  private final String yaml = GeneratedCrd.yaml();
  private final JsonNode crd = new KubernetesSerialization().unmarshal(yaml, JsonNode.class);
  private final JsonNode version = crd.at("/spec/versions/0");
  private final JsonNode root = version.at("/schema/openAPIV3Schema");

  static Stream<Named<Path>> invalid() {
    return Examples.starting("invalid");
  }

  @Test
  void no_enum_value_is_a_boolean_to_yaml() {
    List<String> values = new ArrayList<>();
    walk(
        "",
        root,
        (path, schema) -> schema.path("enum").forEach(value -> values.add(value.asText())));
    assertThat(values)
        .contains("Bounded", "None", "DryRun", "Keep")
        .noneMatch(value -> YAML_BOOLEANS.contains(value.toLowerCase(Locale.ROOT)));
  }

  @Test
  void every_string_and_list_and_map_is_bounded() {
    List<String> unbounded = new ArrayList<>();
    walk(
        "",
        root,
        (path, schema) -> {
          boolean bounded =
              switch (schema.path("type").asText()) {
                case "string" -> schema.has("maxLength") || schema.has("enum");
                case "array" -> schema.has("maxItems");
                case "object" -> !schema.has("additionalProperties") || schema.has("maxProperties");
                default -> true;
              };
          if (!bounded) {
            unbounded.add(path);
          }
        });
    assertThat(unbounded).isEmpty();
  }

  @Test
  void lists_with_identity_are_maps_to_server_side_apply() {
    assertThat(root.at("/properties/spec/properties/targetRefs/x-kubernetes-list-map-keys"))
        .extracting(JsonNode::asText)
        .containsExactly("kind", "name");
    assertThat(root.at("/properties/status/properties/targets/x-kubernetes-list-map-keys"))
        .extracting(JsonNode::asText)
        .containsExactly("name");
    assertThat(root.path("required")).extracting(JsonNode::asText).containsExactly("spec");
  }

  @Test
  void columns_stand_in_reading_order() {
    assertThat(version.path("additionalPrinterColumns"))
        .extracting(column -> column.path("name").asText())
        .containsExactly(
            "Type", "Mode", "Applied", "Ready", "Reason", "Age", "Revision", "Sources", "Format");
  }

  @ParameterizedTest
  @MethodSource("invalid")
  void an_invalid_example_says_a_message_that_somebody_gives(Path file) {
    String expected = Examples.expected(file);
    List<String> rules = new ArrayList<>();
    walk(
        "",
        root,
        (path, schema) ->
            schema
                .path("x-kubernetes-validations")
                .forEach(rule -> rules.add(rule.path("message").asText())));
    boolean built =
        Stream.of(
                "Required value",
                "Unsupported value",
                "Duplicate value",
                "in body should",
                "must be of type")
            .anyMatch(expected::contains);
    assertThat(built || rules.contains(expected)).as(expected).isTrue();
  }

  @Test
  void every_rule_has_an_example_that_breaks_it() {
    List<String> expected =
        Examples.starting("invalid").map(Named::getPayload).map(Examples::expected).toList();
    List<String> silent = new ArrayList<>();
    walk(
        "",
        root,
        (path, schema) ->
            schema
                .path("x-kubernetes-validations")
                .forEach(
                    rule -> {
                      String message = rule.path("message").asText();
                      if (!expected.contains(message)) {
                        silent.add(path + ": " + message);
                      }
                    }));
    assertThat(silent).isEmpty();
  }

  private static void walk(String path, JsonNode schema, BiConsumer<String, JsonNode> visit) {
    visit.accept(path, schema);
    JsonNode properties = schema.path("properties");
    Iterable<String> names = properties::fieldNames;
    StreamSupport.stream(names.spliterator(), false)
        .forEach(name -> walk(path + "." + name, properties.path(name), visit));
    if (schema.has("items")) {
      walk(path + "[]", schema.path("items"), visit);
    }
    if (schema.path("additionalProperties").isObject()) {
      walk(path + "{}", schema.path("additionalProperties"), visit);
    }
  }
}
