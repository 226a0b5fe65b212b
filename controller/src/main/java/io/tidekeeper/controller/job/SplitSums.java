package io.tidekeeper.controller.job;

import io.tidekeeper.controller.rollout.LateCount;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the splits of all sources come to. */
final class SplitSums {

  private static final String SPLIT = ".tidekeeper.split.";

  /** Idle, read to its end, and skipped: such a split holds nobody back. */
  private static final Set<Long> NOT_COUNTING = Set.of(1L, 3L, 4L);

  private static final long NOT_EMITTED = Long.MIN_VALUE;

  private final Map<String, Map<String, Long>> splits = new HashMap<>();

  /** Adds the metrics of one vertex; others than those of splits are passed over. */
  void add(Map<String, String> values) {
    values.forEach(
        (metric, value) -> {
          Long number = SourceVertex.number(value);
          int last = metric.lastIndexOf('.');
          if (metric.contains(SPLIT) && number != null) {
            splits
                .computeIfAbsent(metric.substring(0, last), split -> new HashMap<>())
                .put(metric.substring(last + 1), number);
          }
        });
  }

  /** All records and late records. */
  LateCount late() {
    return new LateCount(sum("records"), sum("lateRecords"));
  }

  /**
   * The watermark that holds all others back, idle splits left out; when all are idle, the highest,
   * as in Flink. Null when a split that counts has emitted none.
   */
  @Nullable Long lowestWatermark() {
    Long lowest = null;
    Long highest = null;
    for (Map<String, Long> split : splits.values()) {
      long watermark = split.getOrDefault("watermark", NOT_EMITTED);
      highest = highest == null ? watermark : Math.max(highest, watermark);
      if (!NOT_COUNTING.contains(split.getOrDefault("state", 0L))) {
        lowest = lowest == null ? watermark : Math.min(lowest, watermark);
      }
    }
    Long decisive = lowest == null ? highest : lowest;
    return decisive == null || decisive == NOT_EMITTED ? null : decisive;
  }

  private long sum(String metric) {
    return splits.values().stream().mapToLong(split -> split.getOrDefault(metric, 0L)).sum();
  }
}
