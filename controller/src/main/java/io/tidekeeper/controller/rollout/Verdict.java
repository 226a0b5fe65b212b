package io.tidekeeper.controller.rollout;

import io.tidekeeper.crds.Percent;
import io.tidekeeper.crds.RolloutSettings;
import io.tidekeeper.policy.Durations;
import io.tidekeeper.policy.NoWatermarks;
import io.tidekeeper.policy.PolicyOptions;
import io.tidekeeper.policy.PolicySettings;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** The numbers of a job that runs on new settings: do they prove it, or speak against it? */
final class Verdict {

  private final Look look;
  private final Flight flight;
  private final RolloutSettings rollout;

  Verdict(Look look, Flight flight, RolloutSettings rollout) {
    this.look = look;
    this.flight = flight;
    this.rollout = rollout;
  }

  /** What speaks against the settings; null if nothing. */
  @Nullable Notice failure() {
    JobReading job = look.seen.job();
    Flight.Baseline baseline = flight.baseline();
    if (job == null || baseline == null) {
      return null;
    }
    if (job.restarts() > baseline.restarts()) {
      return new Notice(
          Reason.JobRestarted,
          "The job restarted %d times within %s of running on the new settings."
              .formatted(
                  job.restarts() - baseline.restarts(), Durations.format(rollout.healthyFor())));
    }
    return look.health.missing(look.live) == null
        ? lateShare(job.late().since(baseline.late()))
        : null;
  }

  private @Nullable Notice lateShare(LateCount late) {
    Percent limit = rollout.lateShareAbove();
    if (limit == null || !late.isSample() || !limit.isBelow(late.late(), late.records())) {
      return null;
    }
    LateCount before = flight.before();
    boolean comparable = before != null && before.isSample();
    if (before != null && comparable && !late.isHigherShareThan(before)) {
      // The stream got worse, not the settings.
      return null;
    }
    return new Notice(
        Reason.LateShareExceeded,
        "The late share is %s%s, above the limit of %s%s."
            .formatted(
                late,
                window(),
                limit,
                before != null && comparable ? " and above " + before + " before" : ""));
  }

  private String window() {
    Instant since = flight.healthySince();
    return since == null
        ? ""
        : " in the "
            + Durations.format(Duration.between(since, look.now).truncatedTo(ChronoUnit.SECONDS))
            + " since the job was first healthy on the new settings";
  }

  /** Whether the job has emitted its first watermark since it was first healthy. */
  boolean isFirstWatermark() {
    JobReading job = look.seen.job();
    Flight.Baseline baseline = flight.baseline();
    return job != null
        && baseline != null
        && baseline.watermark() == null
        && job.lowestWatermark() != null;
  }

  /** What is still to be seen; null when the settings are proven. */
  @Nullable String open() {
    Instant since = flight.healthySince();
    Flight.Baseline baseline = flight.baseline();
    JobReading job = look.seen.job();
    if (since == null || baseline == null || job == null) {
      return "no healthy reading was taken";
    }
    if (look.now.isBefore(since.plus(rollout.healthyFor()))) {
      return "it must stay healthy for " + Durations.format(rollout.healthyFor());
    }
    if (job.checkpointInterval() != null && job.checkpoints() <= baseline.checkpoints()) {
      return "no checkpoint has completed since it is healthy";
    }
    return watermarkMoves(job, baseline) ? null : "records arrive and the watermark does not move";
  }

  private boolean watermarkMoves(JobReading job, Flight.Baseline baseline) {
    Long watermark = job.lowestWatermark();
    Long before = baseline.watermark();
    return job.late().records() == baseline.late().records()
        || (watermark != null && (before == null || watermark > before))
        || hasNoWatermarks();
  }

  private boolean hasNoWatermarks() {
    PolicySettings settings = PolicyOptions.read(look.live.options());
    return settings != null
        && (settings.defaults().outOfOrderness() instanceof NoWatermarks
            || settings.sources().values().stream()
                .anyMatch(source -> source.outOfOrderness() instanceof NoWatermarks));
  }
}
