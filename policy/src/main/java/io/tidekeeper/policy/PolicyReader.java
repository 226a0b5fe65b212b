package io.tidekeeper.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads a whole policy: sorts the options by scope and collects every problem before failing. */
final class PolicyReader {

  private final SortedMap<String, String> defaults = new TreeMap<>();
  private final SortedMap<String, SortedMap<String, String>> sources = new TreeMap<>();
  private final List<Problem> problems = new ArrayList<>();
  private @Nullable String revision;
  private boolean hasSettings;

  PolicyReader(Map<String, String> options) {
    new TreeMap<>(options).forEach(this::sort);
  }

  private void sort(String key, String rawValue) {
    String value = rawValue.strip();
    hasSettings |=
        key.startsWith(PolicyOptions.DEFAULT_PREFIX) || key.startsWith(PolicyOptions.SOURCE_PREFIX);
    if (key.equals(PolicyOptions.REVISION)) {
      revision = value;
    } else if (key.startsWith(PolicyOptions.DEFAULT_PREFIX)) {
      defaults.put(key.substring(PolicyOptions.DEFAULT_PREFIX.length()), value);
    } else if (key.startsWith(PolicyOptions.SOURCE_PREFIX)) {
      sortSource(key, value);
    } else if (PolicyOptions.owns(key)) {
      problems.add(new Problem(key, value, "unknown option; did you mean tidekeeper.revision?"));
    }
  }

  private void sortSource(String key, String value) {
    String rest = key.substring(PolicyOptions.SOURCE_PREFIX.length());
    int dot = rest.indexOf('.');
    String name = dot < 0 ? rest : rest.substring(0, dot);
    if (!Names.isSource(name)) {
      problems.add(
          new Problem(
              key,
              value,
              "the source name '%s' must be 1 to 63 of the characters a-z 0-9 -".formatted(name)));
    } else if (dot < 0) {
      problems.add(
          new Problem(key, value, "an option must follow the source name, like watermark.type"));
    } else {
      sources.computeIfAbsent(name, any -> new TreeMap<>()).put(rest.substring(dot + 1), value);
    }
  }

  @Nullable PolicySettings read() {
    long number = readRevision();
    if (!hasSettings) {
      throwIfAnyProblem();
      return null;
    }
    SettingsDraft base =
        new ScopeReader(PolicyOptions.DEFAULT_PREFIX, defaults, null, problems).read();
    SortedMap<String, SettingsDraft> drafts = new TreeMap<>();
    sources.forEach(
        (name, options) -> {
          String prefix = PolicyOptions.SOURCE_PREFIX + name + ".";
          drafts.put(name, new ScopeReader(prefix, options, base, problems).read());
        });
    throwIfAnyProblem();
    SortedMap<String, SourceSettings> settings = new TreeMap<>();
    drafts.forEach((name, draft) -> settings.put(name, draft.build()));
    return new PolicySettings(number, base.build(), settings);
  }

  private void throwIfAnyProblem() {
    if (!problems.isEmpty()) {
      throw new InvalidPolicyException(problems);
    }
  }

  private long readRevision() {
    if (revision == null) {
      return 0;
    }
    try {
      long number = Long.parseLong(revision);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below, together with negative numbers.
    }
    problems.add(
        new Problem(
            PolicyOptions.REVISION,
            revision,
            "must be a whole number from 0 to " + Long.MAX_VALUE));
    return 0;
  }
}
