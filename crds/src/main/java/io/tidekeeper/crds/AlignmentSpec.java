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
 * @param skipAfter how long a partition may be too far behind before it is skipped, or null for
 *     ever
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
@ValidationRule(
    value =
        "!has(self.skipAfter) || duration(self.skipAfter) >= duration('1ms') &&"
            + " duration(self.skipAfter) <= duration('8760h')",
    message = "skipAfter must be from 1ms to 8760h")
@ValidationRule(
    value = "!has(self.skipAfter) || duration(self.skipAfter) > duration(self.updateInterval)",
    message = "skipAfter must be longer than updateInterval")
@ValidationRule(
    value = "self.onExceeded != 'SkipLaggard' || has(self.skipAfter)",
    message = "skipAfter is required with onExceeded SkipLaggard")
@ValidationRule(
    value = "self.onExceeded != 'AlertOnly' || !has(self.skipAfter)",
    message = "skipAfter does not go with onExceeded AlertOnly, which skips nobody")
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
            "What happens when partitions drift further apart than allowed: the leading ones are"
                + " paused (PauseLeaders), it is only measured (AlertOnly), or the slowest is left"
                + " out of the watermark after skipAfter (SkipLaggard).")
        @Default("PauseLeaders")
        @NewerValuesAsNull
        @Nullable OnExceeded onExceeded,
    @JsonPropertyDescription(
            "How long a partition may be further behind than maxDrift before it is left out of the"
                + " watermark; its records go on being read. Required with SkipLaggard. With"
                + " PauseLeaders it ends the leaders' wait. Absent: never.")
        @Pattern(Patterns.DURATION)
        @Size(min = 2, max = Patterns.DURATION_LENGTH)
        @Nullable String skipAfter) {}
