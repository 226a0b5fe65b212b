/**
 * What a watermark policy means: its settings, what is allowed in them, and the flat options in
 * which they travel from the controller to a job.
 *
 * <p>Start reading at {@link io.tidekeeper.policy.PolicySettings}; {@link
 * io.tidekeeper.policy.PolicyOptions} reads and writes it, {@link
 * io.tidekeeper.policy.PolicyOption} documents every option. An instance of a settings record is
 * always valid: constructors refuse what the codec would refuse.
 *
 * <p>Nothing here reads a clock, a file or the environment.
 */
@NullMarked
package io.tidekeeper.policy;

import org.jspecify.annotations.NullMarked;
