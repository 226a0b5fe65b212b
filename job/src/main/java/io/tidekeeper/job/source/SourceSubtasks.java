package io.tidekeeper.job.source;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.metrics.MetricGroup;
import org.jspecify.annotations.Nullable;

/**
 * Finds the {@link SourceSubtask} that belongs to a piece of code running inside a task.
 *
 * <p>Flink creates reader, timestamp assigner, generators and chained operators apart from each
 * other. What they have in common is the execution attempt of their task, which Flink writes into
 * every metric group; it is unique across jobs, subtasks and restarts. One attempt can hold several
 * sources of ours, so the source's name is part of the key.
 */
public final class SourceSubtasks {

  private static final String ATTEMPT_ID = "<task_attempt_id>";

  private static final Map<String, SourceSubtask> RUNNING = new ConcurrentHashMap<>();

  private SourceSubtasks() {}

  static void register(MetricGroup group, String sourceName, SourceSubtask subtask) {
    if (RUNNING.putIfAbsent(key(group, sourceName), subtask) != null) {
      throw new IllegalStateException(
          "Two sources named '%s' run in one task; give each source its own name"
              .formatted(sourceName));
    }
  }

  static void unregister(MetricGroup group, String sourceName) {
    RUNNING.remove(key(group, sourceName));
  }

  /**
   * The subtask of the source {@code sourceName} in the task that {@code group} belongs to.
   *
   * @throws IllegalStateException when there is none, because operator chaining is off or the
   *     caller is not chained to its source
   */
  public static SourceSubtask require(MetricGroup group, String sourceName) {
    SourceSubtask subtask = RUNNING.get(key(group, sourceName));
    if (subtask == null) {
      throw new IllegalStateException(
          ("No source '%s' runs in this task. The operator behind the source must be chained to it:"
                  + " keep pipeline.operator-chaining.enabled at true and give both the same"
                  + " parallelism")
              .formatted(sourceName));
    }
    return subtask;
  }

  /** How many subtasks are registered in this JVM; a leak would show here. */
  public static int count() {
    return RUNNING.size();
  }

  private static String key(MetricGroup group, String sourceName) {
    @Nullable String attempt = group.getAllVariables().get(ATTEMPT_ID);
    if (attempt == null) {
      throw new IllegalStateException("Flink's metric group names no task attempt");
    }
    return attempt + '/' + sourceName;
  }
}
