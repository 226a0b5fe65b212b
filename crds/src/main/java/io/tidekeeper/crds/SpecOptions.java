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
      scope.put(PolicyOption.EMIT_EVERY_RECORDS, UNSET);
      scope.put(PolicyOption.PARTITION_OVERRIDES, UNSET);
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
    learning(watermark);
    if (!watermark.partitionOverrides().isEmpty()) {
      put(
          PolicyOption.PARTITION_OVERRIDES,
          watermark.partitionOverrides().stream()
              .map(SpecOptions::text)
              .collect(Collectors.joining("; ")));
    }
    if (watermark.emit() != null) {
      put(PolicyOption.EMIT_EVERY_RECORDS, watermark.emit().everyRecords());
      put(PolicyOption.EMIT_INTERVAL, watermark.emit().interval());
    }
    put(PolicyOption.MAX_OUT_OF_ORDERNESS_CAP, watermark.maxOutOfOrdernessCap());
    put(PolicyOption.MAX_FUTURE_SKEW, watermark.maxFutureSkew());
    put(PolicyOption.IDLE_TIMEOUT, watermark.idleTimeout());
  }

  private void learning(WatermarkSpec watermark) {
    if (watermark.punctuated() != null) {
      put(PolicyOption.PUNCTUATED_FIELD, watermark.punctuated().field());
    }
    ThroughputSpec throughput = watermark.throughput();
    if (throughput != null) {
      put(PolicyOption.THROUGHPUT_WINDOW, throughput.window());
      put(
          PolicyOption.THROUGHPUT_TIERS,
          throughput.tiers().stream()
              .map(tier -> tier.minRecordsPerSecond() + " " + tier.maxOutOfOrderness())
              .collect(Collectors.joining("; ")));
    }
    QuantileSpec quantile = watermark.quantile();
    if (quantile != null) {
      put(PolicyOption.QUANTILE_LEVEL, quantile.level());
      put(PolicyOption.QUANTILE_FACTOR, quantile.factor());
      put(PolicyOption.QUANTILE_MIN, quantile.min());
      put(PolicyOption.QUANTILE_MAX, quantile.max());
      put(PolicyOption.QUANTILE_WINDOW, quantile.window());
      put(PolicyOption.QUANTILE_MIN_SAMPLES, quantile.minSamples());
    }
    AdaptiveSpec adaptive = watermark.adaptive();
    if (adaptive != null) {
      put(PolicyOption.ADAPTIVE_LATE_SHARE, adaptive.lateShare());
      put(PolicyOption.ADAPTIVE_MIN, adaptive.min());
      put(PolicyOption.ADAPTIVE_MAX, adaptive.max());
      put(PolicyOption.ADAPTIVE_INITIAL, adaptive.initial());
      put(PolicyOption.ADAPTIVE_LATE_SHARE_OVER, adaptive.lateShareOver());
    }
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

  /** An override in the spelling of the option. */
  static String text(PartitionOverrideSpec override) {
    StringBuilder text = new StringBuilder();
    text.append(override.name()).append(' ').append(override.topic()).append(' ');
    text.append(String.join(",", override.partitions()));
    if (override.maxOutOfOrderness() != null) {
      text.append(" max-out-of-orderness=").append(override.maxOutOfOrderness());
    }
    if (override.idleTimeout() != null) {
      text.append(" idle-timeout=").append(override.idleTimeout());
    }
    return text.toString();
  }

  private void put(PolicyOption option, @Nullable Object value) {
    if (value != null) {
      options.put(option.key(), value.toString());
    }
  }
}
