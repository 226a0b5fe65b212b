package io.tidekeeper.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/**
 * A source that differs. Each block replaces the common block as a whole.
 *
 * @param name the name the job gives the source
 * @param watermark its watermarks, or null for the common ones
 * @param alignment its alignment, or null for the common one
 * @param lateData its late data, or null for the common rule
 */
@Lenient
@ValidationRule(
    value = "has(self.watermark) || has(self.alignment) || has(self.lateData)",
    message = "a source listed here must differ: give it watermark, alignment or lateData")
public record SourceSpec(
    @JsonPropertyDescription("The name the job gives the source.")
        @Required
        @Pattern(Patterns.SOURCE)
        @Size(min = 1, max = 63)
        String name,
    @JsonPropertyDescription("Replaces the common watermark block as a whole.")
        @Nullable WatermarkSpec watermark,
    @JsonPropertyDescription(
            "Replaces the common alignment as a whole. To leave a source out of alignment, give"
                + " alignment to the other sources only.")
        @Nullable AlignmentSpec alignment,
    @JsonPropertyDescription("Replaces the common late data block as a whole.")
        @Nullable LateDataSpec lateData) {}
