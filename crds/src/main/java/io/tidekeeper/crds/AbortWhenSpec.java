package io.tidekeeper.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/**
 * Numbers that end a rollout.
 *
 * @param lateShareAbove the share of late records, as a percent string
 */
@Lenient
public record AbortWhenSpec(
    @JsonPropertyDescription(
            "The change is rolled back when the share of late records is above this and above what"
                + " it was before, like 1% or 0.05%.")
        @Pattern(Patterns.PERCENT)
        @Size(min = 2, max = 8)
        @Nullable String lateShareAbove) {}
