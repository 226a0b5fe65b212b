package io.tidekeeper.policy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The spelling of partition overrides in one option: {@code depot subway-events 3,7-9
 * max-out-of-orderness=45s idle-timeout=2m; ...}.
 */
final class OverrideText {

  static final int MAX_OVERRIDES = 16;

  private static final Pattern OVERRIDE = Pattern.compile("(\\S+)\\s+(\\S+)\\s+(\\S+)(\\s.*)?");
  private static final Pattern RANGE = Pattern.compile("(\\d{1,6})(?:-(\\d{1,6}))?");
  private static final String MAX = "max-out-of-orderness=";
  private static final String IDLE = "idle-timeout=";
  private static final Comparator<PartitionOverride> BY_NAME =
      Comparator.comparing(PartitionOverride::name);

  private OverrideText() {}

  static List<PartitionOverride> sorted(List<PartitionOverride> overrides) {
    return overrides.stream().sorted(BY_NAME).toList();
  }

  static String format(List<PartitionOverride> overrides) {
    return overrides.stream().map(OverrideText::format).collect(Collectors.joining("; "));
  }

  private static String format(PartitionOverride override) {
    StringBuilder text = new StringBuilder();
    text.append(override.name()).append(' ').append(override.topic()).append(' ');
    text.append(
        override.partitions().stream()
            .map(PartitionRange::toString)
            .collect(Collectors.joining(",")));
    if (override.maxOutOfOrderness() != null) {
      text.append(' ').append(MAX).append(Durations.format(override.maxOutOfOrderness()));
    }
    if (override.idleTimeout() != null) {
      text.append(' ').append(IDLE).append(Durations.format(override.idleTimeout()));
    }
    return text.toString();
  }

  /**
   * Reads one override.
   *
   * @throws IllegalArgumentException saying which part is wrong and what is allowed
   */
  static PartitionOverride parse(String text) {
    Matcher matcher = OVERRIDE.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "write name, topic, partitions and what differs, like"
              + " depot subway-events 3,7-9 max-out-of-orderness=45s idle-timeout=2m");
    }
    List<PartitionRange> partitions = parseRanges(matcher.group(3));
    Duration max = null;
    Duration idle = null;
    String differs = matcher.group(4) == null ? "" : matcher.group(4);
    for (String part : differs.strip().split("\\s+", -1)) {
      if (part.startsWith(MAX) && max == null) {
        max = OptionText.duration(part.substring(MAX.length()), "max-out-of-orderness");
      } else if (part.startsWith(IDLE) && idle == null) {
        idle =
            OptionText.duration(
                part.substring(IDLE.length()), "idle-timeout", PolicyOption.IDLE_TIMEOUT);
      } else if (!part.isEmpty()) {
        throw new IllegalArgumentException(
            "'%s' is not understood; write %s45s or %s2m, each at most once"
                .formatted(part, MAX, IDLE));
      }
    }
    return new PartitionOverride(matcher.group(1), matcher.group(2), partitions, max, idle);
  }

  private static List<PartitionRange> parseRanges(String text) {
    List<PartitionRange> ranges = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      Matcher range = RANGE.matcher(part);
      if (!range.matches()) {
        throw new IllegalArgumentException(
            "'%s' is not a partition; partitions are numbers from 0 to %d and ranges like 7-9"
                .formatted(part, PartitionRange.MAX_PARTITION));
      }
      int first = Integer.parseInt(range.group(1));
      int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
      if (first > last) {
        throw new IllegalArgumentException(
            "the range '%s' runs backwards; write %d-%d".formatted(part, last, first));
      }
      ranges.add(new PartitionRange(first, last));
    }
    return ranges;
  }

  /** What is wrong with overrides that are fine alone. */
  static List<String> complaintsAbout(List<PartitionOverride> overrides) {
    List<String> complaints = new ArrayList<>();
    if (overrides.size() > MAX_OVERRIDES) {
      complaints.add(
          "has %d overrides; at most %d are allowed".formatted(overrides.size(), MAX_OVERRIDES));
    }
    Set<String> names = new HashSet<>();
    for (PartitionOverride override : overrides) {
      if (!names.add(override.name())) {
        complaints.add("has two overrides named '" + override.name() + "'");
      }
    }
    for (int first = 0; first < overrides.size(); first++) {
      for (int second = first + 1; second < overrides.size(); second++) {
        String both = sharedPartition(overrides.get(first), overrides.get(second));
        if (both != null) {
          complaints.add(
              "overrides '%s' and '%s' both name partition %s"
                  .formatted(overrides.get(first).name(), overrides.get(second).name(), both));
        }
      }
    }
    return complaints;
  }

  private static @Nullable String sharedPartition(PartitionOverride one, PartitionOverride other) {
    if (!one.topic().equals(other.topic())) {
      return null;
    }
    for (PartitionRange range : one.partitions()) {
      for (PartitionRange against : other.partitions()) {
        if (range.overlaps(against)) {
          return Math.max(range.first(), against.first()) + " of topic " + one.topic();
        }
      }
    }
    return null;
  }
}
