package io.tidekeeper.controller.rollout;

import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the running job says over Flink's REST, all numbers since this job started.
 *
 * @param subtasks every subtask of every source of the job
 * @param restarts how often the job has restarted
 * @param checkpoints how many checkpoints have completed
 * @param checkpointInterval the time between two of them, or null when there are none
 * @param late records and late records behind the sources
 * @param lowestWatermark the lowest watermark over the sources in milliseconds since the epoch, or
 *     null when none was emitted
 */
public record JobReading(
    List<SourceSubtask> subtasks,
    long restarts,
    long checkpoints,
    @Nullable Duration checkpointInterval,
    LateCount late,
    @Nullable Long lowestWatermark) {

  /** Copies the subtasks. */
  public JobReading {
    subtasks = List.copyOf(subtasks);
  }

  /**
   * A subtask of a source.
   *
   * @param source the source's name
   * @param index the subtask's number
   * @param revision the policy it runs on, or null when it exports none
   * @param policyFormat what its library understands, or null when it does not say
   */
  public record SourceSubtask(
      String source, int index, @Nullable Long revision, @Nullable Integer policyFormat) {

    @Override
    public String toString() {
      return source + "[" + index + "]";
    }
  }

  /** The names of the sources that read policies, separated by commas. */
  String sourceNames() {
    TreeSet<String> names = new TreeSet<>();
    subtasks.stream().filter(s -> s.revision() != null).forEach(s -> names.add(s.source()));
    return String.join(",", names);
  }

  /** The oldest policy format of all that say one, or null. */
  @Nullable Integer policyFormat() {
    Integer oldest = null;
    for (SourceSubtask subtask : subtasks) {
      Integer format = subtask.policyFormat();
      if (format != null && (oldest == null || format < oldest)) {
        oldest = format;
      }
    }
    return oldest;
  }
}
