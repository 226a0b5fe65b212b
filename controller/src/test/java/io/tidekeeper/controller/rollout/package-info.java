/** Rollouts decided over recorded, simulated and random worlds. */
@NullMarked
package io.tidekeeper.controller.rollout;

import org.jspecify.annotations.NullMarked;
