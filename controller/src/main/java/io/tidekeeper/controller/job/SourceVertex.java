package io.tidekeeper.controller.job;

import io.tidekeeper.controller.rollout.JobReading.SourceSubtask;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A vertex of the job graph that has a source. Flink names a metric of an operator {@code
 * <subtask>.<operator>.<metric>}, with a low line for each character that could be misread.
 *
 * @param id the vertex
 * @param name its name, all chained operators
 * @param parallelism how many subtasks it has
 */
record SourceVertex(String id, String name, int parallelism) {

  private static final Pattern OURS =
      Pattern.compile(
          "([0-9]+)\\.(.+?)\\.tidekeeper\\."
              + "(revision|policyFormat|split\\..+\\.(?:records|lateRecords|watermark|state))");
  private static final String REVISION = "tidekeeper.revision";
  private static final String FORMAT = "tidekeeper.policyFormat";
  private static final String SOURCE_PREFIX = "Source__";
  private static final String CHAINED = " -> ";

  /** Those of these metrics that are ours. */
  static List<String> ours(List<String> metrics) {
    return metrics.stream().filter(metric -> OURS.matcher(metric).matches()).toList();
  }

  /** A subtask that no metric speaks of, or null when there is none. */
  @Nullable Integer unheard(List<String> metrics) {
    for (int subtask = 0; subtask < parallelism; subtask++) {
      String prefix = subtask + ".";
      if (metrics.stream().noneMatch(metric -> metric.startsWith(prefix))) {
        return subtask;
      }
    }
    return null;
  }

  /** The subtasks of its sources, by the values of our metrics. */
  List<SourceSubtask> subtasks(Map<String, String> values) {
    TreeSet<String> operators = new TreeSet<>();
    for (String metric : values.keySet()) {
      Matcher matcher = OURS.matcher(metric);
      if (matcher.matches() && metric.endsWith("." + REVISION)) {
        operators.add(matcher.group(2));
      }
    }
    List<SourceSubtask> subtasks = new ArrayList<>();
    for (int index = 0; index < parallelism; index++) {
      for (String operator : operators) {
        String prefix = index + "." + operator + ".";
        Long format = number(values.get(prefix + FORMAT));
        subtasks.add(
            new SourceSubtask(
                sourceName(operator),
                index,
                number(values.get(prefix + REVISION)),
                format == null ? null : Math.toIntExact(format)));
      }
      if (operators.isEmpty()) {
        subtasks.add(new SourceSubtask(name.split(CHAINED, 2)[0], index, null, null));
      }
    }
    return subtasks;
  }

  static @Nullable Long number(@Nullable String value) {
    try {
      return value == null ? null : Long.valueOf(value);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static String sourceName(String operator) {
    return operator.startsWith(SOURCE_PREFIX)
        ? operator.substring(SOURCE_PREFIX.length())
        : operator;
  }
}
