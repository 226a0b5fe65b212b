package io.tidekeeper.crds;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;

/**
 * The policies in the folder {@code crd}: {@code valid-*} is a policy, {@code invalid-*} is refused
 * by the API server, {@code unaccepted-*} passes the schema and is refused by the controller. The
 * first line of the last two says the message.
 */
final class Examples {

  private static final Path FOLDER = Path.of("src/test/resources/crd");
  private static final String EXPECT = "# expect: ";

  private Examples() {}

  static Stream<Named<Path>> starting(String prefix) {
    try (Stream<Path> files = Files.list(FOLDER)) {
      List<Path> found =
          files
              .filter(file -> file.getFileName().toString().startsWith(prefix + "-"))
              .sorted()
              .toList();
      return found.stream().map(file -> Named.of(file.getFileName().toString(), file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String text(Path file) {
    try {
      return Files.readString(file, UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static WatermarkPolicy policy(Path file) {
    return new KubernetesSerialization().unmarshal(text(file), WatermarkPolicy.class);
  }

  /** The message that the first line promises, or empty. */
  static String expected(Path file) {
    String first = text(file).lines().findFirst().orElse("");
    return first.startsWith(EXPECT) ? first.substring(EXPECT.length()) : "";
  }
}
