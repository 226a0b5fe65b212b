package io.tidekeeper.controller.rollout;

import io.tidekeeper.crds.RolloutSettings;
import io.tidekeeper.policy.PolicySettings;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A policy as it was seen.
 *
 * @param settings what it asks for, or null when its spec means no policy
 * @param problems why it means none, or empty
 * @param rollout how a change reaches the target
 * @param brakes every brake that is on, wherever it stands
 * @param retry the value of the annotation {@link Annotations#RETRY}, or null
 * @param reject the value of the annotation {@link Annotations#REJECT}, or null
 * @param leaving whether it is being deleted or no longer names the target: nothing new begins
 */
public record PolicyView(
    @Nullable PolicySettings settings,
    String problems,
    RolloutSettings rollout,
    Set<Brake> brakes,
    @Nullable String retry,
    @Nullable String reject,
    boolean leaving) {

  /** Copies the brakes. */
  public PolicyView {
    EnumSet<Brake> copy = EnumSet.noneOf(Brake.class);
    copy.addAll(brakes);
    brakes = copy;
  }

  /** The same with another brake. */
  public PolicyView with(Brake brake) {
    EnumSet<Brake> more = EnumSet.of(brake);
    more.addAll(brakes);
    return new PolicyView(settings, problems, rollout, more, retry, reject, leaving);
  }

  /** The same for a target that it no longer names. */
  public PolicyView leavingTarget() {
    return new PolicyView(settings, problems, rollout, brakes, retry, reject, true);
  }
}
