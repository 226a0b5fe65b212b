package io.tidekeeper.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/**
 * When watermarks are emitted.
 *
 * @param interval the time between two of them
 * @param everyRecords the records between two of them, or null: the interval decides
 */
@Lenient
@ValidationRule(
    value =
        "duration(self.interval) >= duration('1ms') && duration(self.interval) <= duration('1m')",
    message = "interval must be from 1ms to 1m")
public record EmitSpec(
    @JsonPropertyDescription(
            "How often a watermark is emitted; with everyRecords, how often idleness is checked.")
        @Default("200ms")
        @Pattern(Patterns.DURATION)
        @Size(min = 2, max = Patterns.DURATION_LENGTH)
        @Nullable String interval,
    @JsonPropertyDescription(
            "A watermark at every so many records of a partition instead of by time, and when it"
                + " goes idle.")
        @Min(1)
        @Max(1_000_000_000)
        @Nullable Integer everyRecords) {}
