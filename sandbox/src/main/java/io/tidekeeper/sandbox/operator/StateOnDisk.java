package io.tidekeeper.sandbox.operator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checkpoints and savepoints in local folders, as Flink names them. */
final class StateOnDisk {
  private static final String COMPLETE = "_metadata";
  private static final int ID_IN_SAVEPOINT = 6;

  private StateOnDisk() {}

  /**
   * The newest complete one of a job, as a URI; null when there is none.
   *
   * @param checkpointDir a {@code file:} URI or a path
   * @param savepointDir likewise
   */
  static @Nullable String newest(String jobId, String checkpointDir, String savepointDir) {
    List<Path> found = new ArrayList<>();
    collect(path(checkpointDir).resolve(jobId), "chk-*", found);
    collect(
        path(savepointDir), "savepoint-%s-*".formatted(jobId.substring(0, ID_IN_SAVEPOINT)), found);
    return found.stream()
        .max(Comparator.comparingLong(StateOnDisk::completedAt))
        .map(path -> path.toUri().toString())
        .orElse(null);
  }

  private static void collect(Path folder, String pattern, List<Path> found) {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (DirectoryStream<Path> some = Files.newDirectoryStream(folder, pattern)) {
      for (Path path : some) {
        if (Files.exists(path.resolve(COMPLETE))) {
          found.add(path);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long completedAt(Path state) {
    try {
      return Files.getLastModifiedTime(state.resolve(COMPLETE)).toMillis();
    } catch (IOException e) {
      return 0;
    }
  }

  private static Path path(String directory) {
    return directory.startsWith("file:")
        ? Path.of(URI.create(directory).getPath())
        : Path.of(directory);
  }
}
