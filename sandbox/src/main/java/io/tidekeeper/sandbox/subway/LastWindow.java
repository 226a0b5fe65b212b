package io.tidekeeper.sandbox.subway;

import io.tidekeeper.sandbox.Patience;
import io.tidekeeper.sandbox.flink.JobRef;
import io.tidekeeper.sandbox.traffic.Kind;
import io.tidekeeper.sandbox.traffic.Sent;
import io.tidekeeper.sandbox.traffic.Traffic;
import java.time.Duration;

/** The end of a run: every window of the traffic has fired. */
public final class LastWindow {

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /** At least as long as a window. */
  private static final Duration WINDOW = Duration.ofSeconds(10);

  private LastWindow() {}

  /**
   * Waits until the watermark of every window subtask has passed the last record of the traffic by
   * a window. Closing records must have been sent. A stop with savepoint then commits what has
   * fired.
   *
   * @throws IllegalStateException after three minutes, with the watermark seen last
   */
  public static void await(JobRef job, Traffic traffic) {
    long target =
        traffic.truth().stream()
                .filter(sent -> sent.kind() == Kind.NORMAL)
                .mapToLong(Sent::eventTime)
                .max()
                .orElseThrow()
            + WINDOW.toMillis();
    Patience.until(
        "the watermark to pass the last window",
        PATIENCE,
        () -> lowestWatermark(job) >= target,
        () ->
            "watermark %.0f, wanted %d; %s"
                .formatted(lowestWatermark(job), target, job.describe()));
  }

  private static double lowestWatermark(JobRef job) {
    return job.vertexMetrics("count_per_station\\.currentInputWatermark").stream()
        .mapToDouble(metric -> metric.number())
        .min()
        .orElse(Double.NEGATIVE_INFINITY);
  }
}
