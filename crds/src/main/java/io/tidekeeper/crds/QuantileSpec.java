package io.tidekeeper.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/**
 * A quantile of the lateness observed lately, times a factor, within limits.
 *
 * @param level which quantile
 * @param factor what it is multiplied by
 * @param min lower limit
 * @param max upper limit
 * @param window how far is looked back
 * @param minSamples how many records it takes
 */
@Lenient
@ValidationRule(
    value =
        "double(self.level.replace('%', '')) >= 50.0 && double(self.level.replace('%', '')) <="
            + " 99.99",
    message = "level must be from 50% to 99.99%")
@ValidationRule(
    value = "double(self.factor) >= 0.1 && double(self.factor) <= 100.0",
    message = "factor must be from 0.1 to 100")
@ValidationRule(
    value = "duration(self.min) <= duration(self.max)",
    message = "min must not be above max")
@ValidationRule(
    value = "duration(self.max) <= duration('168h')",
    message = "max must be at most 168h")
@ValidationRule(
    value = "duration(self.window) >= duration('1s') && duration(self.window) <= duration('168h')",
    message = "window must be from 1s to 168h")
public record QuantileSpec(
    @JsonPropertyDescription("Which quantile of the observed lateness, like 99%.")
        @Required
        @Pattern(Patterns.PERCENT)
        @Size(min = 2, max = 8)
        String level,
    @JsonPropertyDescription("What the quantile is multiplied by, like \"1.5\".")
        @Default("1")
        @Pattern(Patterns.DECIMAL)
        @Size(min = 1, max = 7)
        @Nullable String factor,
    @JsonPropertyDescription("The result counts as at least this.")
        @Default("0s")
        @Pattern(Patterns.DURATION)
        @Size(min = 2, max = Patterns.DURATION_LENGTH)
        @Nullable String min,
    @JsonPropertyDescription(
            "The result counts as at most this, which also holds until minSamples were seen.")
        @Required
        @Pattern(Patterns.DURATION)
        @Size(min = 2, max = Patterns.DURATION_LENGTH)
        String max,
    @JsonPropertyDescription("The stretch of event time whose lateness counts.")
        @Default("10m")
        @Pattern(Patterns.DURATION)
        @Size(min = 2, max = Patterns.DURATION_LENGTH)
        @Nullable String window,
    @JsonPropertyDescription("How many records the window must hold.")
        @Default("1000")
        @Min(1)
        @Max(1_000_000)
        @Nullable Integer minSamples) {}
