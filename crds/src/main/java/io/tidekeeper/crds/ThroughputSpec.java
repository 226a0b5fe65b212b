package io.tidekeeper.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Out-of-orderness by the rate of the source.
 *
 * @param window what a rate is measured over
 * @param tiers rates and their values
 */
@Lenient
@ValidationRule(
    value = "duration(self.window) >= duration('1s') && duration(self.window) <= duration('1h')",
    message = "window must be from 1s to 1h")
@ValidationRule(
    value = "self.tiers.exists(t, t.minRecordsPerSecond == 0)",
    message = "one tier must start at minRecordsPerSecond 0")
public record ThroughputSpec(
    @JsonPropertyDescription("The stretch of event time a rate is measured over.")
        @Default("10s")
        @Pattern(Patterns.DURATION)
        @Size(min = 2, max = Patterns.DURATION_LENGTH)
        @Nullable String window,
    @JsonPropertyDescription(
            "The tiers. One is left downwards when the rate is a tenth below its start.")
        @Required
        @Size(min = 1, max = 16)
        List<TierSpec> tiers) {

  /** Absent lists become empty. */
  public ThroughputSpec {
    tiers = Lists.orEmpty(tiers);
  }
}
