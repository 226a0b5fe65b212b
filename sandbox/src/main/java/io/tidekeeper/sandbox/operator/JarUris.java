package io.tidekeeper.sandbox.operator;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Which local file a {@code jarURI} of a manifest stands for. */
final class JarUris implements Function<String, @Nullable Path> {
  /** Stands for no file, but for the class path of this JVM. */
  static final Path CLASS_PATH = Path.of("");

  private final Map<String, Path> jars;

  JarUris(Map<String, Path> jars) {
    this.jars = Map.copyOf(jars);
  }

  /**
   * The file, or null for the class path.
   *
   * @throws IllegalArgumentException when the setting names no file for this one
   */
  @Override
  public @Nullable Path apply(String jarUri) {
    Path jar = jars.get(jarUri);
    if (jar == null) {
      throw new IllegalArgumentException(
          "no local file stands for %s, only for %s".formatted(jarUri, jars.keySet()));
    }
    return jar.equals(CLASS_PATH) ? null : jar;
  }
}
