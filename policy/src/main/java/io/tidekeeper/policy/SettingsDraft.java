package io.tidekeeper.policy;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Source settings while they are read: some may be missing because their option is wrong. */
final class SettingsDraft {

  @Nullable OutOfOrderness outOfOrderness;
  Duration emitInterval = SourceSettings.DEFAULT_EMIT_INTERVAL;
  @Nullable Integer emitEveryRecords;
  @Nullable Duration cap;
  @Nullable Duration maxFutureSkew;
  @Nullable Duration idleTimeout;
  List<PartitionOverride> overrides = List.of();
  @Nullable AlignmentSettings alignment;
  Duration allowedLateness = Durations.parse(PolicyOption.ALLOWED_LATENESS.requiredDefault());
  @Nullable String topic;

  /** Options whose value is not known; rules that read one of them are not judged. */
  final Set<PolicyOption> unknown = EnumSet.noneOf(PolicyOption.class);

  SettingsDraft copy() {
    SettingsDraft copy = new SettingsDraft();
    copy.outOfOrderness = outOfOrderness;
    copy.emitInterval = emitInterval;
    copy.emitEveryRecords = emitEveryRecords;
    copy.cap = cap;
    copy.maxFutureSkew = maxFutureSkew;
    copy.idleTimeout = idleTimeout;
    copy.overrides = overrides;
    copy.alignment = alignment;
    copy.allowedLateness = allowedLateness;
    copy.topic = topic;
    copy.unknown.addAll(unknown);
    return copy;
  }

  List<JointRules.Violation> violations() {
    return JointRules.check(outOfOrderness, emitInterval, cap, idleTimeout, overrides, alignment);
  }

  /** The settings; only to be called when no problem was found. */
  SourceSettings build() {
    return new SourceSettings(
        Objects.requireNonNull(outOfOrderness),
        emitInterval,
        emitEveryRecords,
        cap,
        maxFutureSkew,
        idleTimeout,
        overrides,
        alignment,
        new LateDataSettings(allowedLateness, topic));
  }
}
