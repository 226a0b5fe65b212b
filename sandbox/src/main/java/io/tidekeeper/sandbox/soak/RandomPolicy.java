package io.tidekeeper.sandbox.soak;

import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * One of the settings that a soak run goes through.
 *
 * @param summary for people
 * @param options the policy options
 */
record RandomPolicy(String summary, Map<String, String> options) {

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

  private static String strategy(RandomGenerator random, Map<String, String> options) {
    String type = "tidekeeper.default.watermark.type";
    switch (random.nextInt(4)) {
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
      default -> {
        String bound = 1 + random.nextInt(15) + "s";
        options.put(type, "Bounded");
        options.put("tidekeeper.default.watermark.bounded.max-out-of-orderness", bound);
        return "Bounded " + bound;
      }
    }
  }

  private static String alignment(RandomGenerator random, Map<String, String> options) {
    int choice = random.nextInt(3);
    if (choice == 0) {
      return "not aligned";
    }
    String onExceeded = choice == 1 ? "PauseLeaders" : "AlertOnly";
    options.put("tidekeeper.default.alignment.group", "subway");
    options.put("tidekeeper.default.alignment.max-drift", 10 + random.nextInt(30) + "s");
    options.put("tidekeeper.default.alignment.update-interval", "500ms");
    options.put("tidekeeper.default.alignment.on-exceeded", onExceeded);
    return onExceeded;
  }
}
