package io.tidekeeper.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.tidekeeper.policy.LateShareOver;
import org.jspecify.annotations.Nullable;

/**
 * The smallest out-of-orderness that keeps a share of late records.
 *
 * @param lateShare the share
 * @param min lower limit
 * @param max upper limit
 * @param initial the least value at first
 * @param lateShareOver over what the share is kept
 */
@Lenient
@ValidationRule(
    value =
        "double(self.lateShare.replace('%', '')) >= 0.01"
            + " && double(self.lateShare.replace('%', '')) <= 20.0",
    message = "lateShare must be from 0.01% to 20%")
@ValidationRule(
    value =
        "duration(self.min) <= duration(self.initial)"
            + " && duration(self.initial) <= duration(self.max)",
    message = "initial must be from min to max")
@ValidationRule(
    value = "duration(self.max) <= duration('168h')",
    message = "max must be at most 168h")
public record AdaptiveSpec(
    @JsonPropertyDescription("The share of records that may be late, like 1% or 0.05%.")
        @Required
        @Pattern(Patterns.PERCENT)
        @Size(min = 2, max = 8)
        String lateShare,
    @JsonPropertyDescription("The learned value is never below this.")
        @Default("0s")
        @Pattern(Patterns.DURATION)
        @Size(min = 2, max = Patterns.DURATION_LENGTH)
        @Nullable String min,
    @JsonPropertyDescription("The learned value is never above this.")
        @Required
        @Pattern(Patterns.DURATION)
        @Size(min = 2, max = Patterns.DURATION_LENGTH)
        String max,
    @JsonPropertyDescription(
            "The least value until enough of the stream was seen. Take the longest delay you"
                + " expect.")
        @Required
        @Pattern(Patterns.DURATION)
        @Size(min = 2, max = Patterns.DURATION_LENGTH)
        String initial,
    @JsonPropertyDescription(
            "Whether the share is kept over the stream as a whole (WholeStream), at the least"
                + " delay, or in each hour of the day (EachHour).")
        @Default("WholeStream")
        @NewerValuesAsNull
        @Nullable LateShareOver lateShareOver) {}
