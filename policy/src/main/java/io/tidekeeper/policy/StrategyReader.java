package io.tidekeeper.policy;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads an out-of-orderness strategy: its type and that type's own options. */
final class StrategyReader {

  private final ScopeOptions options;

  StrategyReader(ScopeOptions options) {
    this.options = options;
  }

  /** The strategy, or null when it could not be read; the reasons have been reported. */
  @Nullable OutOfOrderness read() {
    String type = options.raw(PolicyOption.WATERMARK_TYPE);
    switch (type) {
      case "Bounded" -> {
        reportOthers(type, "watermark.bounded.");
        Duration max = options.requiredDuration(PolicyOption.BOUNDED_MAX_OUT_OF_ORDERNESS);
        return max == null ? null : new Bounded(max);
      }
      case "Monotonous" -> {
        reportOthers(type, null);
        return new Monotonous();
      }
      case "Schedule" -> {
        reportOthers(type, "watermark.schedule.");
        return readSchedule();
      }
      case "Punctuated" -> {
        reportOthers(type, "watermark.punctuated.");
        return readPunctuated();
      }
      case "Throughput" -> {
        reportOthers(type, "watermark.throughput.");
        return readThroughput();
      }
      case "Quantile" -> {
        reportOthers(type, "watermark.quantile.");
        return readQuantile();
      }
      case "Adaptive" -> {
        reportOthers(type, "watermark.adaptive.");
        return readAdaptive();
      }
      case "None" -> {
        reportOthers(type, null);
        return new NoWatermarks();
      }
      default -> {
        options.report(
            PolicyOption.WATERMARK_TYPE, "must be " + PolicyOption.WATERMARK_TYPE.allowed());
        return null;
      }
    }
  }

  private void reportOthers(String type, @Nullable String memberPrefix) {
    for (PolicyOption option : PolicyOption.values()) {
      boolean member =
          option == PolicyOption.WATERMARK_TYPE
              || (memberPrefix != null && option.key().startsWith(memberPrefix));
      if (option.part() == PolicyOption.Part.STRATEGY && !member && options.has(option)) {
        options.report(option, "is not an option of watermark.type " + type);
      }
    }
  }

  private @Nullable Punctuated readPunctuated() {
    PolicyOption option = PolicyOption.PUNCTUATED_FIELD;
    String field = options.has(option) ? options.raw(option) : option.requiredDefault();
    if (!Names.isField(field)) {
      options.report(option, "must be " + option.allowed());
      return null;
    }
    return new Punctuated(field);
  }

  private @Nullable Throughput readThroughput() {
    Duration window = durationOrDefault(PolicyOption.THROUGHPUT_WINDOW);
    PolicyOption option = PolicyOption.THROUGHPUT_TIERS;
    if (!options.has(option)) {
      options.missing(option, "is required");
      return null;
    }
    List<ThroughputTier> tiers = new ArrayList<>();
    boolean complete = true;
    for (String text : options.raw(option).split(";", -1)) {
      try {
        tiers.add(TierText.parse(text));
      } catch (IllegalArgumentException e) {
        options.report(option, "tier '%s': %s".formatted(text.strip(), e.getMessage()));
        complete = false;
      }
    }
    if (!complete) {
      return null;
    }
    List<String> complaints = TierText.complaintsAbout(tiers);
    complaints.forEach(complaint -> options.report(option, complaint));
    return window == null || !complaints.isEmpty() ? null : new Throughput(window, tiers);
  }

  private @Nullable Quantile readQuantile() {
    Share level = options.requiredShare(PolicyOption.QUANTILE_LEVEL);
    BigDecimal factor = options.number(PolicyOption.QUANTILE_FACTOR);
    Duration min = durationOrDefault(PolicyOption.QUANTILE_MIN);
    Duration max = options.requiredDuration(PolicyOption.QUANTILE_MAX);
    Duration window = durationOrDefault(PolicyOption.QUANTILE_WINDOW);
    Integer minSamples = options.count(PolicyOption.QUANTILE_MIN_SAMPLES);
    boolean ordered = ordered(PolicyOption.QUANTILE_MIN, min, PolicyOption.QUANTILE_MAX, max);
    if (level == null
        || factor == null
        || min == null
        || max == null
        || window == null
        || minSamples == null
        || !ordered) {
      return null;
    }
    return new Quantile(level, factor, min, max, window, minSamples);
  }

  private @Nullable Adaptive readAdaptive() {
    Share lateShare = options.requiredShare(PolicyOption.ADAPTIVE_LATE_SHARE);
    Duration min = durationOrDefault(PolicyOption.ADAPTIVE_MIN);
    Duration max = options.requiredDuration(PolicyOption.ADAPTIVE_MAX);
    Duration initial = options.requiredDuration(PolicyOption.ADAPTIVE_INITIAL);
    LateShareOver over =
        options.choice(PolicyOption.ADAPTIVE_LATE_SHARE_OVER, LateShareOver.values());
    boolean ordered = ordered(PolicyOption.ADAPTIVE_MIN, min, PolicyOption.ADAPTIVE_MAX, max);
    ordered &= ordered(PolicyOption.ADAPTIVE_INITIAL, initial, PolicyOption.ADAPTIVE_MAX, max);
    if (initial != null && min != null && initial.compareTo(min) < 0) {
      options.report(
          PolicyOption.ADAPTIVE_INITIAL,
          "must not be below %s, which is %s"
              .formatted(PolicyOption.ADAPTIVE_MIN.key(), Durations.format(min)));
      ordered = false;
    }
    if (lateShare == null || min == null || max == null || initial == null || !ordered) {
      return null;
    }
    return new Adaptive(lateShare, min, max, initial, over);
  }

  /** Whether the durations are in order, as far as both are known; else that is reported. */
  private boolean ordered(
      PolicyOption lowOption,
      @Nullable Duration low,
      PolicyOption highOption,
      @Nullable Duration high) {
    if (low == null || high == null) {
      return true;
    }
    String complaint = Limits.complaint(low, highOption, high);
    if (complaint != null) {
      options.report(lowOption, complaint);
    }
    return complaint == null;
  }

  /** Null when it is wrong. */
  private @Nullable Duration durationOrDefault(PolicyOption option) {
    return options.has(option)
        ? options.requiredDuration(option)
        : Durations.parse(option.requiredDefault());
  }

  private @Nullable Schedule readSchedule() {
    ZoneId zone = readZone();
    ScheduleClock clock = options.choice(PolicyOption.SCHEDULE_CLOCK, ScheduleClock.values());
    Duration otherwise = options.requiredDuration(PolicyOption.SCHEDULE_DEFAULT);
    List<ScheduleWindow> windows = readWindows();
    if (zone == null || otherwise == null || windows == null) {
      return null;
    }
    return new Schedule(zone, clock, otherwise, windows);
  }

  private @Nullable ZoneId readZone() {
    if (!options.has(PolicyOption.SCHEDULE_TIME_ZONE)) {
      options.missing(PolicyOption.SCHEDULE_TIME_ZONE, "is required");
      return null;
    }
    String name = options.raw(PolicyOption.SCHEDULE_TIME_ZONE);
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      List<String> known = ZoneId.getAvailableZoneIds().stream().sorted().toList();
      options.report(
          PolicyOption.SCHEDULE_TIME_ZONE,
          "is not a known time zone, did you mean %s? Write %s"
              .formatted(NearestName.to(name, known), PolicyOption.SCHEDULE_TIME_ZONE.allowed()));
      return null;
    }
  }

  /** The windows, or null when any was wrong. */
  private @Nullable List<ScheduleWindow> readWindows() {
    PolicyOption option = PolicyOption.SCHEDULE_WINDOWS;
    if (!options.has(option)) {
      options.missing(option, "is required");
      return null;
    }
    List<ScheduleWindow> windows = new ArrayList<>();
    boolean complete = true;
    for (String text : options.raw(option).split(";", -1)) {
      try {
        windows.add(ScheduleText.parseWindow(text));
      } catch (IllegalArgumentException e) {
        options.report(option, "window '%s': %s".formatted(text.strip(), e.getMessage()));
        complete = false;
      }
    }
    List<String> overlaps = WindowOverlaps.in(windows);
    overlaps.forEach(overlap -> options.report(option, overlap));
    return complete && overlaps.isEmpty() ? windows : null;
  }
}
