package io.tidekeeper.controller.rollout;

import java.time.Duration;
import java.util.Objects;

/** The one next thing to do for a target. */
public sealed interface Action {

  /**
   * Nothing is to be written; look again when something happens, at the latest after this time.
   *
   * @param atMost how long to wait
   */
  record Wait(Duration atMost) implements Action {}

  /**
   * Write this record into the policy's status and decide again.
   *
   * @param next the record
   */
  record Remember(TargetRecord next) implements Action {}

  /**
   * Apply these options, all of them and no other, to the target of this identity, never by force;
   * then look and decide again.
   *
   * @param uid the identity the target must have
   * @param keys the complete options; empty gives them up
   */
  record Apply(String uid, OwnKeys keys) implements Action {

    /**
     * @throws IllegalArgumentException if there is no identity or the options are not complete
     */
    public Apply {
      Objects.requireNonNull(keys);
      if (uid.isEmpty()) {
        throw new IllegalArgumentException("a write without a uid could create a target");
      }
      if (!keys.isComplete()) {
        throw new IllegalArgumentException(
            "an incomplete set of options would delete the missing ones: " + keys.options());
      }
    }
  }
}
