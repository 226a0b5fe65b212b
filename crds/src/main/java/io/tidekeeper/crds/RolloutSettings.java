package io.tidekeeper.crds;

import io.tidekeeper.policy.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a change reaches a job, with every default filled in.
 *
 * @param mode whether changes are applied; a mode this version does not know is {@code DryRun}
 * @param paused the brake in the spec
 * @param cooldown the shortest time between two rollouts on one job
 * @param savepointTimeout how long the job may take to stop with a savepoint
 * @param healthDeadline from the new deployment to its first healthy reading
 * @param healthyFor how long the job must stay healthy
 * @param autoRollback whether a change that fails is taken back
 * @param lateShareAbove the late share that ends a rollout, or null for any
 */
public record RolloutSettings(
    RolloutMode mode,
    boolean paused,
    Duration cooldown,
    Duration savepointTimeout,
    Duration healthDeadline,
    Duration healthyFor,
    boolean autoRollback,
    @Nullable Percent lateShareAbove) {

  /** What holds when the policy says nothing. */
  public static final RolloutSettings DEFAULTS =
      new RolloutSettings(
          RolloutMode.Auto,
          false,
          Duration.ofMinutes(10),
          Duration.ofMinutes(10),
          Duration.ofMinutes(5),
          Duration.ofMinutes(1),
          true,
          null);

  /**
   * Reads the rollout block of a policy. A value that cannot be read counts as absent: the schema
   * refuses it, and a rollout that is under way needs an answer.
   */
  public static RolloutSettings of(@Nullable RolloutSpec spec) {
    if (spec == null) {
      return DEFAULTS;
    }
    return new RolloutSettings(
        // Holding back is the safe answer to a mode that only a newer version knows.
        spec.mode() == null ? RolloutMode.DryRun : spec.mode(),
        Boolean.TRUE.equals(spec.paused()),
        duration(spec.cooldown(), DEFAULTS.cooldown),
        duration(spec.savepointTimeout(), DEFAULTS.savepointTimeout),
        duration(spec.healthDeadline(), DEFAULTS.healthDeadline),
        duration(spec.healthyFor(), DEFAULTS.healthyFor),
        !Boolean.FALSE.equals(spec.autoRollback()),
        spec.abortWhen() == null ? null : share(spec.abortWhen().lateShareAbove()));
  }

  private static Duration duration(@Nullable String text, Duration otherwise) {
    if (text == null) {
      return otherwise;
    }
    try {
      return Durations.parse(text);
    } catch (IllegalArgumentException e) {
      return otherwise;
    }
  }

  private static @Nullable Percent share(@Nullable String text) {
    if (text == null) {
      return null;
    }
    try {
      return Percent.parse(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
