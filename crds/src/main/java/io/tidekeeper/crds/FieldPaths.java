package io.tidekeeper.crds;

import io.tidekeeper.policy.PolicyOption;
import io.tidekeeper.policy.PolicyOptions;
import io.tidekeeper.policy.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Translates what is wrong with options into what is wrong with the fields they came from. */
final class FieldPaths {

  private static final List<String> KEYS_LONGEST_FIRST =
      Arrays.stream(PolicyOption.values())
          .map(PolicyOption::key)
          .sorted(Comparator.comparingInt(String::length).reversed())
          .toList();

  private final WatermarkPolicySpec spec;

  private FieldPaths(WatermarkPolicySpec spec) {
    this.spec = spec;
  }

  static FieldPaths of(WatermarkPolicySpec spec) {
    return new FieldPaths(spec);
  }

  List<FieldProblem> translate(List<Problem> problems) {
    List<FieldProblem> translated = new ArrayList<>();
    for (Problem problem : problems) {
      translated.add(translate(problem));
    }
    return translated;
  }

  private FieldProblem translate(Problem problem) {
    String option = problem.option();
    if (option.startsWith(PolicyOptions.DEFAULT_PREFIX)) {
      String key = option.substring(PolicyOptions.DEFAULT_PREFIX.length());
      return problem("spec.", key, schedule(spec.watermark()), problem);
    }
    for (SourceSpec source : spec.sources()) {
      String prefix = PolicyOptions.SOURCE_PREFIX + source.name() + ".";
      if (option.startsWith(prefix)) {
        String path = "spec.sources[" + source.name() + "].";
        return problem(
            path, option.substring(prefix.length()), schedule(source.watermark()), problem);
      }
    }
    return new FieldProblem("spec", problem.value(), problem.message());
  }

  private static FieldProblem problem(
      String scope, String key, @Nullable ScheduleSpec schedule, Problem problem) {
    String path = scope + fieldOf(key);
    if (key.equals(PolicyOption.SCHEDULE_WINDOWS.key()) && schedule != null) {
      return window(path, schedule.windows(), problem.message());
    }
    // What unsets an option inside is nothing the user wrote.
    String value = problem.value().equals("none") ? "" : problem.value();
    return new FieldProblem(path, value, withFieldNames(problem.message()));
  }

  /** Windows share one option; the message names the window, the path should too. */
  private static FieldProblem window(String path, List<WindowSpec> windows, String message) {
    for (int index = 0; index < windows.size(); index++) {
      String text = SpecOptions.text(windows.get(index)).strip();
      String start = "window '" + text + "': ";
      if (message.startsWith(start)) {
        return new FieldProblem(
            path + "[" + index + "]", text, withFieldNames(message.substring(start.length())));
      }
    }
    return new FieldProblem(path, "", withFieldNames(message));
  }

  private static @Nullable ScheduleSpec schedule(@Nullable WatermarkSpec watermark) {
    return watermark == null ? null : watermark.schedule();
  }

  private static String withFieldNames(String message) {
    String translated = message;
    for (String key : KEYS_LONGEST_FIRST) {
      translated = translated.replace(key, fieldOf(key));
    }
    return translated;
  }

  /** The field of an option below its scope: kebab case becomes camel case. */
  static String fieldOf(String key) {
    String path = key.startsWith("late.") ? "lateData." + key.substring("late.".length()) : key;
    StringBuilder field = new StringBuilder();
    boolean upper = false;
    for (int index = 0; index < path.length(); index++) {
      char character = path.charAt(index);
      if (character == '-') {
        upper = true;
      } else {
        field.append(upper ? Character.toUpperCase(character) : character);
        upper = false;
      }
    }
    return field.toString();
  }
}
