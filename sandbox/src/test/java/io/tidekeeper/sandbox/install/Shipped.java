package io.tidekeeper.sandbox.install;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The files that users install and read, as they lie in the repository. */
public final class Shipped {
  /** The manifests. */
  public static final Path K8S = Path.of("../k8s").toAbsolutePath().normalize();

  /** What alerts point to. */
  public static final Path RUNBOOKS = Path.of("../docs/runbooks").toAbsolutePath().normalize();

  private static final Path SUBWAY = K8S.resolve("jobs/subway/flink-deployment.yaml");
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

  /** The text of a file. */
  public static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
