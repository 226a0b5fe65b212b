package io.tidekeeper.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/**
 * A condition in the common form of Kubernetes.
 *
 * @param type what it speaks about
 * @param status True, False or Unknown
 * @param reason one word for machines
 * @param message a sentence for people
 * @param lastTransitionTime when {@code status} last changed, RFC 3339
 * @param observedGeneration the generation of the policy it speaks about
 */
@Lenient
public record PolicyCondition(
    @Required @Size(min = 1, max = 64) String type,
    @Required @Pattern("^(True|False|Unknown)$") @Size(max = 8) String status,
    @Required @Size(min = 1, max = 128) String reason,
    @Required @Size(max = 4096) String message,
    @Required @Size(max = 40) String lastTransitionTime,
    @JsonPropertyDescription("The generation of the policy it speaks about.")
        @Nullable Long observedGeneration) {}
