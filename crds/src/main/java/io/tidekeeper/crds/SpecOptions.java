package io.tidekeeper.crds;

import io.tidekeeper.policy.PolicyOption;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The options of one scope as its fields spell them; nothing is judged here. */
final class SpecOptions {

  private static final String UNSET = "none";

  private final Map<String, String> options = new TreeMap<>();

  private SpecOptions() {}

  static Map<String, String> ofDefaults(WatermarkPolicySpec spec) {
    SpecOptions scope = new SpecOptions();
    // Without the type the reader names the field that is missing.
    scope.put(PolicyOption.WATERMARK_TYPE, "");
    scope.watermark(spec.watermark());
    scope.alignment(spec.alignment());
    scope.lateData(spec.lateData());
    return scope.options;
  }

  /** The blocks a source has; each unsets what it does not say, because it replaces a block. */
  static Map<String, String> ofSource(SourceSpec source) {
    SpecOptions scope = new SpecOptions();
    if (source.watermark() != null) {
      scope.put(PolicyOption.WATERMARK_TYPE, "");
      scope.put(PolicyOption.EMIT_INTERVAL, PolicyOption.EMIT_INTERVAL.defaultValue());
      scope.put(PolicyOption.MAX_OUT_OF_ORDERNESS_CAP, UNSET);
      scope.put(PolicyOption.MAX_FUTURE_SKEW, UNSET);
      scope.put(PolicyOption.IDLE_TIMEOUT, UNSET);
    }
    scope.watermark(source.watermark());
    scope.alignment(source.alignment());
    if (source.lateData() != null) {
      scope.put(PolicyOption.ALLOWED_LATENESS, PolicyOption.ALLOWED_LATENESS.defaultValue());
      scope.put(PolicyOption.LATE_TOPIC, UNSET);
    }
    scope.lateData(source.lateData());
    return scope.options;
  }

  private void watermark(@Nullable WatermarkSpec watermark) {
    if (watermark == null) {
      return;
    }
    put(PolicyOption.WATERMARK_TYPE, watermark.type());
    if (watermark.bounded() != null) {
      put(PolicyOption.BOUNDED_MAX_OUT_OF_ORDERNESS, watermark.bounded().maxOutOfOrderness());
    }
    ScheduleSpec schedule = watermark.schedule();
    if (schedule != null) {
      put(PolicyOption.SCHEDULE_TIME_ZONE, schedule.timeZone());
      put(PolicyOption.SCHEDULE_CLOCK, schedule.clock());
      put(PolicyOption.SCHEDULE_DEFAULT, schedule.otherwise());
      put(
          PolicyOption.SCHEDULE_WINDOWS,
          schedule.windows().stream().map(SpecOptions::text).collect(Collectors.joining("; ")));
    }
    if (watermark.emit() != null) {
      put(PolicyOption.EMIT_INTERVAL, watermark.emit().interval());
    }
    put(PolicyOption.MAX_OUT_OF_ORDERNESS_CAP, watermark.maxOutOfOrdernessCap());
    put(PolicyOption.MAX_FUTURE_SKEW, watermark.maxFutureSkew());
    put(PolicyOption.IDLE_TIMEOUT, watermark.idleTimeout());
  }

  private void alignment(@Nullable AlignmentSpec alignment) {
    if (alignment != null) {
      put(PolicyOption.ALIGNMENT_GROUP, alignment.group());
      put(PolicyOption.ALIGNMENT_MAX_DRIFT, alignment.maxDrift());
      put(PolicyOption.ALIGNMENT_UPDATE_INTERVAL, alignment.updateInterval());
      put(PolicyOption.ALIGNMENT_ON_EXCEEDED, alignment.onExceeded());
      put(PolicyOption.ALIGNMENT_SKIP_AFTER, alignment.skipAfter());
    }
  }

  private void lateData(@Nullable LateDataSpec lateData) {
    if (lateData != null) {
      put(PolicyOption.ALLOWED_LATENESS, lateData.allowedLateness());
      put(PolicyOption.LATE_TOPIC, lateData.topic());
    }
  }

  /** A window in the spelling of the option. */
  static String text(WindowSpec window) {
    return window.days().stream().map(Day::name).collect(Collectors.joining(","))
        + " "
        + window.from()
        + "-"
        + window.to()
        + " "
        + window.maxOutOfOrderness();
  }

  private void put(PolicyOption option, @Nullable Object value) {
    if (value != null) {
      options.put(option.key(), value.toString());
    }
  }
}
