package io.tidekeeper.controller.rollout;

/** Annotations with a meaning. Those of users are read and never removed. */
public final class Annotations {

  /** A brake, on a policy, a target or a namespace; any value but {@code false}. */
  public static final String PAUSED = "tidekeeper.io/paused";

  /** On a policy: {@code <change>} or {@code <change>/<n>} tries a rejected change once more. */
  public static final String RETRY = "tidekeeper.io/retry";

  /** On a policy: {@code <change>} or {@code <change>/<n>} takes back a change that was applied. */
  public static final String REJECT = "tidekeeper.io/reject";

  /** On a target, ours: the policy that holds it. */
  public static final String HOLDER = "tidekeeper.io/policy";

  private Annotations() {}
}
