package io.tidekeeper.sandbox.install;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.tidekeeper.crds.PolicyMapping;
import io.tidekeeper.crds.WatermarkPolicy;
import io.tidekeeper.policy.PolicySettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files that users install and read, as they lie in the repository. */
public final class Shipped {
  /** The manifests. */
  public static final Path K8S = Path.of("../k8s").toAbsolutePath().normalize();

  /** What users read. */
  public static final Path DOCS = Path.of("../docs").toAbsolutePath().normalize();

  /** What alerts point to. */
  public static final Path RUNBOOKS = DOCS.resolve("runbooks");

  /** How to change a running job. */
  public static final Path LIVE_CHANGE = DOCS.resolve("live-change.md");

  /** The manifest of the subway job. */
  public static final Path SUBWAY = K8S.resolve("jobs/subway/flink-deployment.yaml");

  private static final Path RULES = K8S.resolve("monitoring/rules.yaml");

  private Shipped() {}

  /** The FlinkDeployment of the subway job. */
  public static GenericKubernetesResource subway() {
    return Serialization.unmarshal(read(SUBWAY), GenericKubernetesResource.class);
  }

  /** The Flink configuration of the subway job. */
  public static Map<String, String> subwayConfiguration() {
    Map<String, Object> configuration = subway().get("spec", "flinkConfiguration");
    Map<String, String> options = new TreeMap<>();
    configuration.forEach((key, value) -> options.put(key, String.valueOf(value)));
    return options;
  }

  /** The policy of the subway job, without a revision. */
  public static PolicySettings subwayPolicy() {
    return PolicyMapping.toSettings(
        Serialization.unmarshal(
                read(K8S.resolve("samples/subway-policy.yaml")), WatermarkPolicy.class)
            .getSpec());
  }

  /** The alerts of the Prometheus rules. */
  public static List<Alert> alerts() {
    GenericKubernetesResource rules =
        Serialization.unmarshal(read(RULES), GenericKubernetesResource.class);
    List<Map<String, List<Map<String, Object>>>> groups = rules.get("spec", "groups");
    return groups.stream()
        .flatMap(group -> group.getOrDefault("rules", List.of()).stream())
        .map(
            rule ->
                new Alert(
                    String.valueOf(rule.get("alert")),
                    String.valueOf(rule.get("expr")),
                    String.valueOf(rule.get("annotations"))))
        .toList();
  }

  /**
   * What the tests look at of an alert.
   *
   * @param annotations all of them, as text
   */
  public record Alert(String name, String expression, String annotations) {}

  /** The runbooks. */
  public static List<Path> runbooks() {
    try (Stream<Path> files = Files.list(RUNBOOKS)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The code blocks of a page in a language, in their order.
   *
   * @param language as the page names it behind the block's opening fence
   */
  public static List<String> blocks(Path page, String language) {
    return Pattern.compile("(?ms)^```%s\\n(.*?)^```$".formatted(language))
        .matcher(read(page))
        .results()
        .map(block -> block.group(1))
        .toList();
  }

  /** A YAML file that holds one document. */
  public static JsonNode yaml(Path file) {
    return Serialization.unmarshal(read(file), JsonNode.class);
  }

  /** The text of a file. */
  public static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
