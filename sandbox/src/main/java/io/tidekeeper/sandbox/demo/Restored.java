package io.tidekeeper.sandbox.demo;

import io.tidekeeper.sandbox.Patience;
import io.tidekeeper.sandbox.flink.JobRef;
import io.tidekeeper.sandbox.flink.Metric;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The watermark that a job went on from. */
final class Restored {

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private Restored() {}

  /** The highest one of its subtasks; {@code Long.MIN_VALUE} for none. */
  static long watermark(JobRef job) {
    List<Metric> restored = new ArrayList<>();
    Patience.until(
        "the restored watermark",
        PATIENCE,
        () -> {
          restored.clear();
          restored.addAll(job.vertexMetrics(".*tidekeeper\\.restoredWatermark"));
          return !restored.isEmpty();
        },
        () -> "no such metric; " + job.describe());
    return restored.stream().mapToLong(m -> Long.parseLong(m.value())).max().orElseThrow();
  }
}
