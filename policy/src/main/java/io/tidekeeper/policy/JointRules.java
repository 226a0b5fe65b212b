package io.tidekeeper.policy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules between options: values that are fine alone and wrong together. */
final class JointRules {

  private static final Set<PolicyOption> CAP_RULE =
      EnumSet.of(PolicyOption.BOUNDED_MAX_OUT_OF_ORDERNESS, PolicyOption.MAX_OUT_OF_ORDERNESS_CAP);
  private static final Set<PolicyOption> OVERRIDE_CAP_RULE =
      EnumSet.of(PolicyOption.PARTITION_OVERRIDES, PolicyOption.MAX_OUT_OF_ORDERNESS_CAP);
  private static final Set<PolicyOption> IDLE_RULE =
      EnumSet.of(
          PolicyOption.IDLE_TIMEOUT,
          PolicyOption.EMIT_INTERVAL,
          PolicyOption.ALIGNMENT_GROUP,
          PolicyOption.ALIGNMENT_UPDATE_INTERVAL,
          PolicyOption.ALIGNMENT_ON_EXCEEDED);
  private static final Set<PolicyOption> OVERRIDE_IDLE_RULE =
      EnumSet.of(
          PolicyOption.PARTITION_OVERRIDES,
          PolicyOption.EMIT_INTERVAL,
          PolicyOption.ALIGNMENT_GROUP,
          PolicyOption.ALIGNMENT_UPDATE_INTERVAL,
          PolicyOption.ALIGNMENT_ON_EXCEEDED);

  private JointRules() {}

  /**
   * A broken rule.
   *
   * @param option the option to change
   * @param message what is wrong and what would be right
   * @param reads all options the rule looked at
   */
  record Violation(PolicyOption option, String message, Set<PolicyOption> reads) {}

  /** All broken rules; a null strategy (not known) breaks none. */
  static List<Violation> check(
      @Nullable OutOfOrderness outOfOrderness,
      Duration emitInterval,
      @Nullable Duration cap,
      @Nullable Duration idleTimeout,
      List<PartitionOverride> overrides,
      @Nullable AlignmentSettings alignment) {
    List<Violation> violations = new ArrayList<>();
    if (cap != null
        && outOfOrderness instanceof Bounded bounded
        && bounded.maxOutOfOrderness().compareTo(cap) > 0) {
      violations.add(
          new Violation(
              PolicyOption.BOUNDED_MAX_OUT_OF_ORDERNESS,
              "%s is above the %s of %s"
                  .formatted(
                      Durations.format(bounded.maxOutOfOrderness()),
                      PolicyOption.MAX_OUT_OF_ORDERNESS_CAP.key(),
                      Durations.format(cap)),
              CAP_RULE));
    }
    for (PartitionOverride override : overrides) {
      Duration constant = override.maxOutOfOrderness();
      if (cap != null && constant != null && constant.compareTo(cap) > 0) {
        violations.add(
            new Violation(
                PolicyOption.PARTITION_OVERRIDES,
                "override '%s': %s is above the %s of %s"
                    .formatted(
                        override.name(),
                        Durations.format(constant),
                        PolicyOption.MAX_OUT_OF_ORDERNESS_CAP.key(),
                        Durations.format(cap)),
                OVERRIDE_CAP_RULE));
      }
    }
    if (alignment != null && alignment.onExceeded() == OnExceeded.PauseLeaders) {
      // An idle timeout within one round of reports could hit a partition that alignment has
      // paused, and Flink would not resume it; without any, a silent partition stops the group.
      Duration shortest = alignment.updateInterval().plus(emitInterval.multipliedBy(3));
      if (idleTimeout == null || idleTimeout.compareTo(shortest) <= 0) {
        violations.add(
            new Violation(
                PolicyOption.IDLE_TIMEOUT,
                ("alignment that pauses needs an idle timeout longer than %s"
                        + " (alignment.update-interval + 3 x watermark.emit.interval)")
                    .formatted(Durations.format(shortest)),
                IDLE_RULE));
      }
      for (PartitionOverride override : overrides) {
        Duration own = override.idleTimeout();
        if (own != null && own.compareTo(shortest) <= 0) {
          violations.add(
              new Violation(
                  PolicyOption.PARTITION_OVERRIDES,
                  ("override '%s': alignment that pauses needs an idle timeout longer than %s"
                          + " (alignment.update-interval + 3 x watermark.emit.interval)")
                      .formatted(override.name(), Durations.format(shortest)),
                  OVERRIDE_IDLE_RULE));
        }
      }
    }
    return violations;
  }
}
