package io.tidekeeper.policy;

import java.util.ArrayList;
import java.util.List;

/** Reads partition overrides. */
final class OverridesReader {

  private static final PolicyOption OPTION = PolicyOption.PARTITION_OVERRIDES;

  private final ScopeOptions options;

  OverridesReader(ScopeOptions options) {
    this.options = options;
  }

  /** The overrides; {@code inherited} when absent, none when unset or wrong. */
  List<PartitionOverride> read(List<PartitionOverride> inherited) {
    if (!options.has(OPTION)) {
      return inherited;
    }
    options.known(OPTION);
    if (options.isUnset(OPTION)) {
      return List.of();
    }
    List<PartitionOverride> overrides = new ArrayList<>();
    boolean complete = true;
    for (String text : options.raw(OPTION).split(";", -1)) {
      try {
        overrides.add(OverrideText.parse(text));
      } catch (IllegalArgumentException e) {
        options.report(OPTION, "override '%s': %s".formatted(text.strip(), e.getMessage()));
        complete = false;
      }
    }
    List<String> complaints = OverrideText.complaintsAbout(overrides);
    complaints.forEach(complaint -> options.report(OPTION, complaint));
    return complete && complaints.isEmpty() ? overrides : List.of();
  }
}
