package io.tidekeeper.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/**
 * The out-of-orderness from a rate on.
 *
 * @param minRecordsPerSecond the lowest rate of the tier
 * @param maxOutOfOrderness its value
 */
@Lenient
@ValidationRule(
    value = "duration(self.maxOutOfOrderness) <= duration('168h')",
    message = "maxOutOfOrderness must be at most 168h")
public record TierSpec(
    @JsonPropertyDescription("The lowest rate of the tier, in records per second of event time.")
        @Required
        @Min(0)
        @Max(1_000_000_000)
        long minRecordsPerSecond,
    @JsonPropertyDescription("Out-of-orderness in this tier.")
        @Required
        @Pattern(Patterns.DURATION)
        @Size(min = 2, max = Patterns.DURATION_LENGTH)
        String maxOutOfOrderness) {}
