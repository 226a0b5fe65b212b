package io.tidekeeper.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders on disk. */
public final class Folders {

  private Folders() {}

  /** Deletes a folder with all that is in it. */
  public static void delete(Path folder) throws IOException {
    try (Stream<Path> content = Files.walk(folder)) {
      List<Path> deepestFirst = content.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) {
        Files.delete(path);
      }
    }
  }
}
