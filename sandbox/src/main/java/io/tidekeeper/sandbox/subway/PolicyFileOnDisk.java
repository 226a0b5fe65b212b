package io.tidekeeper.sandbox.subway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.TreeMap;

/**
 * The policy file that a job follows; replaced as a whole, as a ConfigMap is.
 *
 * @param path absolute; its folder exists
 */
public record PolicyFileOnDisk(Path path) {

  /** The options of a job that looks at this file ten times a second. */
  public Map<String, String> options() {
    return Map.of("tidekeeper.live.file", path.toString(), "tidekeeper.live.interval", "100ms");
  }

  /** Writes a policy under a revision. */
  public void write(long revision, Map<String, String> policy) {
    Map<String, String> options = new TreeMap<>(policy);
    options.put("tidekeeper.revision", Long.toString(revision));
    StringBuilder text = new StringBuilder();
    options.forEach((key, value) -> text.append(key).append(": ").append(value).append('\n'));
    write(text.toString());
  }

  /** Writes anything. */
  public void write(String text) {
    try {
      Path next = path.resolveSibling(path.getFileName() + ".next");
      Files.writeString(next, text);
      Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
