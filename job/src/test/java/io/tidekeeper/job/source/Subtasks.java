package io.tidekeeper.job.source;

import io.tidekeeper.policy.SourceSettings;
import java.util.List;

/** Source subtasks for tests outside this package. */
public final class Subtasks {

  private Subtasks() {}

  /** A subtask without splits. */
  public static SourceSubtask of(SourceSettings settings) {
    return new SourceSubtask("trips", settings, split -> {});
  }

  /** Assigns a split. */
  public static void add(SourceSubtask subtask, String splitId) {
    subtask.splitsAdded(List.of(splitId));
  }

  /** What follows is emitted for this split. */
  public static void speaking(SourceSubtask subtask, String splitId) {
    subtask.emitting(subtask.split(splitId));
  }
}
