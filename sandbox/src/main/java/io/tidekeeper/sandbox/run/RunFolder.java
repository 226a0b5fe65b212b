package io.tidekeeper.sandbox.run;

import io.tidekeeper.sandbox.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The folder that a run writes to. */
public final class RunFolder {

  /** Written into the folder, so that only a folder of ours is ever emptied. */
  private static final String MARK = ".tidekeeper-run";

  private RunFolder() {}

  /**
   * Empties the folder of an earlier run, or makes a new one.
   *
   * @throws IllegalStateException when the folder holds something else
   */
  public static void renew(Path dir) throws IOException {
    if (Files.isDirectory(dir)) {
      try (Stream<Path> content = Files.list(dir)) {
        if (content.findAny().isPresent() && !Files.exists(dir.resolve(MARK))) {
          throw new IllegalStateException(
              dir + " holds files that are not from an earlier run; name another --dir");
        }
      }
      Folders.delete(dir);
    }
    Files.createDirectories(dir);
    Files.createFile(dir.resolve(MARK));
  }
}
