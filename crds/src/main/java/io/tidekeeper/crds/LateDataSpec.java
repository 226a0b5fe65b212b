package io.tidekeeper.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/**
 * What happens to records that arrive after the watermark.
 *
 * @param allowedLateness how long a window still accepts them
 * @param topic the Kafka topic for those too late even then
 */
@Lenient
@ValidationRule(
    value = "duration(self.allowedLateness) <= duration('8760h')",
    message = "allowedLateness must be at most 8760h")
@ValidationRule(
    value = "!has(self.topic) || !(self.topic in ['.', '..', 'none'])",
    message = "topic must not be '.', '..' or 'none'; leave it out to drop late records")
public record LateDataSpec(
    @JsonPropertyDescription("How long after the watermark a window still accepts late records.")
        @Default("0s")
        @Pattern(Patterns.DURATION)
        @Size(min = 2, max = Patterns.DURATION_LENGTH)
        @Nullable String allowedLateness,
    @JsonPropertyDescription(
            "The Kafka topic that receives records too late for their window. Absent: they are"
                + " counted and dropped.")
        @Pattern(Patterns.TOPIC)
        @Size(min = 1, max = 249)
        @Nullable String topic) {}
