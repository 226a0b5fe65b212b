/**
 * The rollout of a policy to one target, as pure decisions: {@link
 * io.tidekeeper.controller.rollout.RolloutDecision#decide} looks at an {@link
 * io.tidekeeper.controller.rollout.Observation} and says the next {@link
 * io.tidekeeper.controller.rollout.Action}. Nothing here reads a clock or does I/O; everything that
 * must survive a restart of the controller stands in a {@link
 * io.tidekeeper.controller.rollout.TargetRecord}.
 *
 * <p>Every intention is recorded before it is acted on, and every action is found out from the
 * target afterwards. So a controller that dies between any two steps goes on where it was.
 */
@NullMarked
package io.tidekeeper.controller.rollout;

import org.jspecify.annotations.NullMarked;
