package io.tidekeeper.crds;

import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/**
 * Why something was decided.
 *
 * @param reason one word for machines
 * @param message a sentence for people, with the numbers that decided
 */
@Lenient
public record ReasonStatus(
    @Required @Size(min = 1, max = 128) String reason,
    @Required @Size(max = 4096) String message) {}
