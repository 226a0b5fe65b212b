package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;

/** A savepoint as the same job would have left it when one of its operators had no state yet. */
final class OlderSavepoint {

  private static final String METADATA = "_metadata";

  private OlderSavepoint() {}

  /**
   * Copies a savepoint without the state of an operator, which stays in it by name.
   *
   * @param uid the operator's id; it must have state
   * @param savepoint the URI of its folder
   * @param folder where the copy goes; it must not exist
   * @return the URI of the copy
   */
  static String without(String uid, String savepoint, Path folder) {
    try {
      Path original = Path.of(URI.create(savepoint));
      Files.createDirectory(folder);
      try (var files = Files.list(original)) {
        for (Path file : files.toList()) {
          Files.copy(file, folder.resolve(file.getFileName()));
        }
      }
      CheckpointMetadata metadata = read(original);
      List<OperatorState> states = new ArrayList<>();
      long emptied = 0;
      for (OperatorState state : metadata.getOperatorStates()) {
        if (uid.equals(state.getOperatorUid().orElse(""))) {
          emptied += state.getStateSize();
          states.add(withoutState(state));
        } else {
          states.add(state);
        }
      }
      assertThat(emptied).as("bytes of state of " + uid).isPositive();
      try (OutputStream out = Files.newOutputStream(folder.resolve(METADATA))) {
        Checkpoints.storeCheckpointMetadata(
            new CheckpointMetadata(
                metadata.getCheckpointId(),
                states,
                metadata.getMasterStates(),
                metadata.getCheckpointProperties()),
            out);
      }
      return folder.toUri().toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static CheckpointMetadata read(Path savepoint) throws IOException {
    try (DataInputStream in =
        new DataInputStream(Files.newInputStream(savepoint.resolve(METADATA)))) {
      return Checkpoints.loadCheckpointMetadata(
          in, OlderSavepoint.class.getClassLoader(), savepoint.toUri().toString());
    }
  }

  private static OperatorState withoutState(OperatorState state) {
    return new OperatorState(
        state.getOperatorName().orElse(null),
        state.getOperatorUid().orElse(null),
        state.getOperatorID(),
        state.getParallelism(),
        state.getMaxParallelism());
  }
}
