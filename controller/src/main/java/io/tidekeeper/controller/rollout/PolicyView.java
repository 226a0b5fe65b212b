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
 * @param deleting whether it is being deleted
 */
public record PolicyView(
    @Nullable PolicySettings settings,
    String problems,
    RolloutSettings rollout,
    Set<Brake> brakes,
    @Nullable String retry,
    @Nullable String reject,
    boolean deleting) {

  /** Copies the brakes. */
  public PolicyView {
    EnumSet<Brake> copy = EnumSet.noneOf(Brake.class);
    copy.addAll(brakes);
    brakes = copy;
  }
}
