package io.tidekeeper.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/**
 * Watermarks that records carry.
 *
 * @param field the JSON field they stand in
 */
@Lenient
public record PunctuatedSpec(
    @JsonPropertyDescription(
            "The JSON field in which a record of the bundled pipelines carries a watermark, in"
                + " milliseconds since the epoch. A job of your own gives a function in its code.")
        @Default("watermark")
        @Pattern(Patterns.FIELD)
        @Size(min = 1, max = 63)
        @Nullable String field) {}
