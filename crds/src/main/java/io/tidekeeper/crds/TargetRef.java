package io.tidekeeper.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/**
 * A job of the policy.
 *
 * @param kind what kind of resource runs it; null when only a newer version knows the kind
 * @param name its name, in the policy's namespace
 */
@Lenient
public record TargetRef(
    @JsonPropertyDescription("The kind of the target.")
        @Default("FlinkDeployment")
        @NewerValuesAsNull
        @Nullable TargetKind kind,
    @JsonPropertyDescription("The name of the target.")
        @Required
        @Pattern(Patterns.NAME)
        @Size(min = 1, max = 63)
        String name) {}
