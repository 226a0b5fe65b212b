package io.tidekeeper.policy;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Reads the options of one scope, the defaults or one source, over what it inherits. */
final class ScopeReader {

  private final ScopeOptions options;
  private final boolean isSource;
  private final SettingsDraft draft;

  ScopeReader(
      String prefix,
      SortedMap<String, String> options,
      @Nullable SettingsDraft inherited,
      List<Problem> problems) {
    this.isSource = inherited != null;
    this.draft = inherited == null ? new SettingsDraft() : inherited.copy();
    this.options = new ScopeOptions(prefix, options, draft.unknown, problems);
  }

  SettingsDraft read() {
    options.reportUnknownKeys();
    readStrategy();
    readSingles();
    readAlignment();
    reportViolations();
    return draft;
  }

  private void readStrategy() {
    if (options.has(PolicyOption.WATERMARK_TYPE)) {
      draft.outOfOrderness = new StrategyReader(options).read();
    } else if (isSource) {
      options.reportStrays(
          PolicyOption.Part.STRATEGY,
          "needs watermark.type beside it: a source inherits the strategy or replaces it as a"
              + " whole");
    } else {
      options.missing(PolicyOption.WATERMARK_TYPE, "is required");
    }
  }

  private void readSingles() {
    draft.emitInterval = options.duration(PolicyOption.EMIT_INTERVAL, draft.emitInterval);
    draft.emitEveryRecords =
        options.optionalCount(PolicyOption.EMIT_EVERY_RECORDS, draft.emitEveryRecords);
    draft.cap = options.optionalDuration(PolicyOption.MAX_OUT_OF_ORDERNESS_CAP, draft.cap);
    draft.maxFutureSkew =
        options.optionalDuration(PolicyOption.MAX_FUTURE_SKEW, draft.maxFutureSkew);
    draft.idleTimeout = options.optionalDuration(PolicyOption.IDLE_TIMEOUT, draft.idleTimeout);
    draft.overrides = new OverridesReader(options).read(draft.overrides);
    draft.allowedLateness = options.duration(PolicyOption.ALLOWED_LATENESS, draft.allowedLateness);
    draft.topic = options.optionalName(PolicyOption.LATE_TOPIC, draft.topic, Names::isTopic);
  }

  private void readAlignment() {
    if (!options.has(PolicyOption.ALIGNMENT_GROUP)) {
      options.reportStrays(
          PolicyOption.Part.ALIGNMENT,
          isSource
              ? "needs alignment.group beside it: a source inherits the alignment or replaces it"
                  + " as a whole"
              : "needs alignment.group beside it");
      return;
    }
    options.forget(PolicyOption.Part.ALIGNMENT);
    draft.alignment = null;
    if (options.isUnset(PolicyOption.ALIGNMENT_GROUP)) {
      options.reportStrays(PolicyOption.Part.ALIGNMENT, "alignment.group is none");
      return;
    }
    String group =
        options.optionalName(PolicyOption.ALIGNMENT_GROUP, null, Names::isAlignmentGroup);
    Duration maxDrift = options.requiredDuration(PolicyOption.ALIGNMENT_MAX_DRIFT);
    Duration updateInterval =
        options.duration(
            PolicyOption.ALIGNMENT_UPDATE_INTERVAL,
            Durations.parse(PolicyOption.ALIGNMENT_UPDATE_INTERVAL.requiredDefault()));
    OnExceeded onExceeded = options.choice(PolicyOption.ALIGNMENT_ON_EXCEEDED, OnExceeded.values());
    Duration skipAfter = readSkipAfter(updateInterval, onExceeded);
    if (group != null) {
      // A wrong drift must not hide a missing idle timeout; with a problem nothing is built anyway.
      Duration drift = maxDrift == null ? updateInterval : maxDrift;
      draft.alignment = new AlignmentSettings(group, drift, updateInterval, onExceeded, skipAfter);
    }
  }

  /** With a problem nothing is built; a value that fits keeps the other rules judged. */
  private @Nullable Duration readSkipAfter(Duration updateInterval, OnExceeded onExceeded) {
    Duration skipAfter =
        options.has(PolicyOption.ALIGNMENT_SKIP_AFTER)
            ? options.requiredDuration(PolicyOption.ALIGNMENT_SKIP_AFTER)
            : null;
    boolean known =
        Collections.disjoint(
            draft.unknown,
            EnumSet.of(
                PolicyOption.ALIGNMENT_UPDATE_INTERVAL,
                PolicyOption.ALIGNMENT_ON_EXCEEDED,
                PolicyOption.ALIGNMENT_SKIP_AFTER));
    String complaint =
        AlignmentSettings.complaintAboutSkipAfter(updateInterval, onExceeded, skipAfter);
    if (complaint == null) {
      return skipAfter;
    }
    if (known) {
      options.report(PolicyOption.ALIGNMENT_SKIP_AFTER, complaint);
    }
    return onExceeded == OnExceeded.SkipLaggard ? updateInterval.plusMillis(1) : null;
  }

  private void reportViolations() {
    for (JointRules.Violation violation : draft.violations()) {
      boolean judged = Collections.disjoint(violation.reads(), draft.unknown);
      // What the defaults violate is reported once, not again by every source that inherits it.
      boolean ours = violation.reads().stream().anyMatch(options::has);
      if (judged && ours) {
        options.report(violation.option(), violation.message());
      }
    }
  }
}
