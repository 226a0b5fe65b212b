/**
 * One pass over one policy: everything is looked at once, {@link
 * io.tidekeeper.controller.rollout.RolloutDecision} decides, and only then is anything written: the
 * status first, the targets after it.
 */
@NullMarked
package io.tidekeeper.controller.reconcile;

import org.jspecify.annotations.NullMarked;
