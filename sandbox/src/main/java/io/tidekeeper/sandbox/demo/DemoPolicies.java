package io.tidekeeper.sandbox.demo;

import java.util.Map;
import java.util.TreeMap;

/** The two policies of the demo, as the options that a controller would write. */
final class DemoPolicies {

  private DemoPolicies() {}

  /** Before: five seconds, whatever the hour. */
  static Map<String, String> fiveSeconds() {
    return with(
        Map.of(
            "tidekeeper.revision",
            "1",
            "tidekeeper.default.watermark.type",
            "Bounded",
            "tidekeeper.default.watermark.bounded.max-out-of-orderness",
            "5s"));
  }

  /**
   * After: thirty seconds in the rush hour, five at other times.
   *
   * @param watermarkRestore false to break it on purpose
   */
  static Map<String, String> rushHourSchedule(boolean watermarkRestore) {
    return with(
        Map.of(
            "tidekeeper.revision",
            "2",
            "tidekeeper.default.watermark.type",
            "Schedule",
            "tidekeeper.default.watermark.schedule.time-zone",
            "Asia/Shanghai",
            "tidekeeper.default.watermark.schedule.default",
            "5s",
            "tidekeeper.default.watermark.schedule.windows",
            "Mon-Fri 07:00-09:30 30s",
            "tidekeeper.watermark-restore",
            String.valueOf(watermarkRestore)));
  }

  private static Map<String, String> with(Map<String, String> strategy) {
    Map<String, String> policy = new TreeMap<>(strategy);
    policy.put("tidekeeper.default.watermark.emit.interval", "100ms");
    policy.put("tidekeeper.default.watermark.idle-timeout", "4s");
    policy.put("tidekeeper.default.watermark.max-future-skew", "5m");
    policy.put("tidekeeper.default.alignment.group", "subway");
    policy.put("tidekeeper.default.alignment.max-drift", "30s");
    policy.put("tidekeeper.default.alignment.update-interval", "500ms");
    return policy;
  }
}
