package io.tidekeeper.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/**
 * When watermarks are emitted.
 *
 * @param interval the time between two of them
 */
@Lenient
@ValidationRule(
    value =
        "duration(self.interval) >= duration('1ms') && duration(self.interval) <= duration('1m')",
    message = "interval must be from 1ms to 1m")
public record EmitSpec(
    @JsonPropertyDescription("How often a watermark is emitted.")
        @Default("200ms")
        @Pattern(Patterns.DURATION)
        @Size(min = 2, max = Patterns.DURATION_LENGTH)
        @Nullable String interval) {}
