package io.tidekeeper.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/**
 * A constant out-of-orderness.
 *
 * @param maxOutOfOrderness the constant
 */
@Lenient
@ValidationRule(
    value = "duration(self.maxOutOfOrderness) <= duration('168h')",
    message = "maxOutOfOrderness must be at most 168h")
public record BoundedSpec(
    @JsonPropertyDescription(
            "How much older than the newest record of its partition a record may be.")
        @Required
        @Pattern(Patterns.DURATION)
        @Size(min = 2, max = Patterns.DURATION_LENGTH)
        String maxOutOfOrderness) {}
