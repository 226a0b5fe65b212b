package io.tidekeeper.policy;

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
