package io.tidekeeper.sandbox.soak;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * One of the settings that a soak run goes through.
 *
 * @param summary for people
 * @param options the policy options
 */
record RandomPolicy(String summary, Map<String, String> options) {

  private static final String SKIP_LAGGARD = "SkipLaggard";
  private static final String ON_EXCEEDED = "tidekeeper.default.alignment.on-exceeded";
  private static final String SKIP_AFTER = "tidekeeper.default.alignment.skip-after";
  private static final List<String> STRATEGY =
      Stream.of("type", "bounded.", "schedule.", "quantile.", "adaptive.")
          .map(name -> "tidekeeper.default.watermark." + name)
          .toList();

  /** Draws a policy; {@code revision} is its number. */
  static RandomPolicy draw(RandomGenerator random, int revision) {
    Map<String, String> options = new TreeMap<>();
    options.put("tidekeeper.revision", String.valueOf(revision));
    options.put("tidekeeper.default.watermark.idle-timeout", 3 + random.nextInt(3) + "s");
    options.put("tidekeeper.default.watermark.max-future-skew", "5m");
    options.put("tidekeeper.default.watermark.emit.interval", 20 * (1 + random.nextInt(5)) + "ms");
    String strategy = strategy(random, options);
    String alignment = alignment(random, options);
    return new RandomPolicy(strategy + ", " + alignment, options);
  }

  /**
   * Draws another strategy and other skip times for a job that runs on {@code current}: what may
   * change without a restart. Everything else stays.
   */
  static RandomPolicy drawLive(RandomGenerator random, Map<String, String> current) {
    Map<String, String> options = new TreeMap<>(current);
    options.keySet().removeIf(option -> STRATEGY.stream().anyMatch(option::startsWith));
    String summary = strategy(random, options);
    if (SKIP_LAGGARD.equals(options.get(ON_EXCEEDED))) {
      options.put(SKIP_AFTER, 2 + random.nextInt(4) + "s");
    }
    return new RandomPolicy(summary, options);
  }

  private static String strategy(RandomGenerator random, Map<String, String> options) {
    String type = "tidekeeper.default.watermark.type";
    switch (random.nextInt(6)) {
      case 0 -> {
        options.put(type, "Monotonous");
        return "Monotonous";
      }
      case 1 -> {
        String high = 10 + random.nextInt(20) + "s";
        options.put(type, "Schedule");
        options.put("tidekeeper.default.watermark.schedule.time-zone", "Asia/Shanghai");
        options.put("tidekeeper.default.watermark.schedule.default", "3s");
        options.put("tidekeeper.default.watermark.schedule.windows", "Mon-Fri 07:05-07:15 " + high);
        return "Schedule 3s/" + high;
      }
      case 2 -> {
        options.put(type, "Quantile");
        options.put("tidekeeper.default.watermark.quantile.level", "95%");
        options.put("tidekeeper.default.watermark.quantile.max", "40s");
        options.put("tidekeeper.default.watermark.quantile.window", "2m");
        return "Quantile 95%";
      }
      case 3 -> {
        options.put(type, "Adaptive");
        options.put("tidekeeper.default.watermark.adaptive.late-share", "5%");
        options.put("tidekeeper.default.watermark.adaptive.max", "60s");
        options.put("tidekeeper.default.watermark.adaptive.initial", "20s");
        return "Adaptive 5%";
      }
      default -> {
        String bound = 1 + random.nextInt(15) + "s";
        options.put(type, "Bounded");
        options.put("tidekeeper.default.watermark.bounded.max-out-of-orderness", bound);
        return "Bounded " + bound;
      }
    }
  }

  private static String alignment(RandomGenerator random, Map<String, String> options) {
    int choice = random.nextInt(4);
    if (choice == 0) {
      return "not aligned";
    }
    String onExceeded =
        switch (choice) {
          case 1 -> "PauseLeaders";
          case 2 -> "AlertOnly";
          default -> SKIP_LAGGARD;
        };
    if (choice == 3) {
      options.put(SKIP_AFTER, "3s");
    }
    options.put("tidekeeper.default.alignment.group", "subway");
    options.put("tidekeeper.default.alignment.max-drift", 10 + random.nextInt(30) + "s");
    options.put("tidekeeper.default.alignment.update-interval", "500ms");
    options.put(ON_EXCEEDED, onExceeded);
    return onExceeded;
  }
}
