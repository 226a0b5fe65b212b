package io.tidekeeper.policy;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes settings as canonical options. */
final class PolicyWriter {

  private PolicyWriter() {}

  static SortedMap<String, String> write(PolicySettings settings) {
    SortedMap<String, String> options = new TreeMap<>();
    options.put(PolicyOptions.REVISION, Long.toString(settings.revision()));
    Map<PolicyOption, String> defaults = all(settings.defaults());
    defaults.forEach(
        (option, value) -> options.put(PolicyOptions.DEFAULT_PREFIX + option.key(), value));
    settings
        .sources()
        .forEach(
            (name, source) ->
                difference(all(source), defaults)
                    .forEach(
                        (option, value) ->
                            options.put(
                                PolicyOptions.SOURCE_PREFIX + name + "." + option.key(), value)));
    return options;
  }

  /** What a source must say so that, laid over the defaults, it gives exactly its settings. */
  private static Map<PolicyOption, String> difference(
      Map<PolicyOption, String> source, Map<PolicyOption, String> defaults) {
    boolean sameAlignment = true;
    for (PolicyOption option : PolicyOption.values()) {
      if (option.part() == PolicyOption.Part.ALIGNMENT) {
        sameAlignment &= Objects.equals(source.get(option), defaults.get(option));
      }
    }
    Map<PolicyOption, String> difference = new EnumMap<>(PolicyOption.class);
    for (PolicyOption option : PolicyOption.values()) {
      String value = source.get(option);
      boolean inherited =
          switch (option.part()) {
            // The strategy always stands with the source, so that a reader of the options sees it.
            case STRATEGY -> false;
            case ALIGNMENT -> sameAlignment;
            case SINGLE, SINGLE_UNSETTABLE -> Objects.equals(value, defaults.get(option));
          };
      if (inherited) {
        continue;
      }
      if (value != null) {
        difference.put(option, value);
      } else if (option.unsettable()) {
        difference.put(option, Names.NONE);
      }
    }
    return difference;
  }

  /** Every option that the settings set, in canonical spelling. */
  static Map<PolicyOption, String> all(SourceSettings settings) {
    Map<PolicyOption, String> values = new EnumMap<>(PolicyOption.class);
    strategy(settings.outOfOrderness(), values);
    values.put(PolicyOption.EMIT_INTERVAL, Durations.format(settings.emitInterval()));
    Integer everyRecords = settings.emitEveryRecords();
    if (everyRecords != null) {
      values.put(PolicyOption.EMIT_EVERY_RECORDS, everyRecords.toString());
    }
    put(values, PolicyOption.MAX_OUT_OF_ORDERNESS_CAP, settings.maxOutOfOrdernessCap());
    put(values, PolicyOption.MAX_FUTURE_SKEW, settings.maxFutureSkew());
    put(values, PolicyOption.IDLE_TIMEOUT, settings.idleTimeout());
    if (!settings.partitionOverrides().isEmpty()) {
      values.put(
          PolicyOption.PARTITION_OVERRIDES, OverrideText.format(settings.partitionOverrides()));
    }
    AlignmentSettings alignment = settings.alignment();
    if (alignment != null) {
      values.put(PolicyOption.ALIGNMENT_GROUP, alignment.group());
      put(values, PolicyOption.ALIGNMENT_MAX_DRIFT, alignment.maxDrift());
      put(values, PolicyOption.ALIGNMENT_UPDATE_INTERVAL, alignment.updateInterval());
      values.put(PolicyOption.ALIGNMENT_ON_EXCEEDED, alignment.onExceeded().name());
      put(values, PolicyOption.ALIGNMENT_SKIP_AFTER, alignment.skipAfter());
    }
    put(values, PolicyOption.ALLOWED_LATENESS, settings.lateData().allowedLateness());
    String topic = settings.lateData().topic();
    if (topic != null) {
      values.put(PolicyOption.LATE_TOPIC, topic);
    }
    return values;
  }

  private static void strategy(OutOfOrderness strategy, Map<PolicyOption, String> values) {
    values.put(PolicyOption.WATERMARK_TYPE, strategy.typeName());
    if (strategy instanceof Bounded bounded) {
      put(values, PolicyOption.BOUNDED_MAX_OUT_OF_ORDERNESS, bounded.maxOutOfOrderness());
    } else if (strategy instanceof Schedule schedule) {
      values.put(PolicyOption.SCHEDULE_TIME_ZONE, schedule.timeZone().getId());
      values.put(PolicyOption.SCHEDULE_CLOCK, schedule.clock().name());
      put(values, PolicyOption.SCHEDULE_DEFAULT, schedule.defaultMaxOutOfOrderness());
      values.put(PolicyOption.SCHEDULE_WINDOWS, ScheduleText.format(schedule.windows()));
    } else if (strategy instanceof Punctuated punctuated) {
      values.put(PolicyOption.PUNCTUATED_FIELD, punctuated.field());
    } else if (strategy instanceof Throughput throughput) {
      put(values, PolicyOption.THROUGHPUT_WINDOW, throughput.window());
      values.put(PolicyOption.THROUGHPUT_TIERS, TierText.format(throughput.tiers()));
    } else if (strategy instanceof Quantile quantile) {
      values.put(PolicyOption.QUANTILE_LEVEL, quantile.level().toString());
      values.put(PolicyOption.QUANTILE_FACTOR, quantile.factor().toPlainString());
      put(values, PolicyOption.QUANTILE_MIN, quantile.min());
      put(values, PolicyOption.QUANTILE_MAX, quantile.max());
      put(values, PolicyOption.QUANTILE_WINDOW, quantile.window());
      values.put(PolicyOption.QUANTILE_MIN_SAMPLES, Integer.toString(quantile.minSamples()));
    } else if (strategy instanceof Adaptive adaptive) {
      values.put(PolicyOption.ADAPTIVE_LATE_SHARE, adaptive.lateShare().toString());
      put(values, PolicyOption.ADAPTIVE_MIN, adaptive.min());
      put(values, PolicyOption.ADAPTIVE_MAX, adaptive.max());
      put(values, PolicyOption.ADAPTIVE_INITIAL, adaptive.initial());
      values.put(PolicyOption.ADAPTIVE_LATE_SHARE_OVER, adaptive.lateShareOver().name());
    }
  }

  private static void put(
      Map<PolicyOption, String> values, PolicyOption option, @Nullable Duration duration) {
    if (duration != null) {
      values.put(option, Durations.format(duration));
    }
  }
}
