package io.tidekeeper.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.tidekeeper.policy.OnExceeded;
import org.jspecify.annotations.Nullable;

/**
 * Watermark alignment of sources within one job.
 *
 * @param group sources with the same group are aligned
 * @param maxDrift how far a partition may be ahead of the group's slowest
 * @param updateInterval how often readers report
 * @param onExceeded what happens when the drift is exceeded
 */
@Lenient
@ValidationRule(value = "self.group != 'none'", message = "group must not be called none")
@ValidationRule(
    value =
        "duration(self.maxDrift) >= duration('1ms') && duration(self.maxDrift) <="
            + " duration('8760h')",
    message = "maxDrift must be from 1ms to 8760h")
@ValidationRule(
    value =
        "duration(self.updateInterval) >= duration('1ms') && duration(self.updateInterval) <="
            + " duration('1h')",
    message = "updateInterval must be from 1ms to 1h")
public record AlignmentSpec(
    @JsonPropertyDescription("Sources of one job with the same group are aligned.")
        @Required
        @Pattern(Patterns.GROUP)
        @Size(min = 1, max = 63)
        String group,
    @JsonPropertyDescription("How far a partition's watermark may be ahead of the group's slowest.")
        @Required
        @Pattern(Patterns.DURATION)
        @Size(min = 2, max = Patterns.DURATION_LENGTH)
        String maxDrift,
    @JsonPropertyDescription("How often readers report their watermark to the group.")
        @Default("1s")
        @Pattern(Patterns.DURATION)
        @Size(min = 2, max = Patterns.DURATION_LENGTH)
        @Nullable String updateInterval,
    @JsonPropertyDescription(
            "What happens when a partition is further ahead than allowed: it is paused"
                + " (PauseLeaders), or it is only measured (AlertOnly).")
        @Default("PauseLeaders")
        @NewerValuesAsNull
        @Nullable OnExceeded onExceeded) {}
