package io.tidekeeper.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;

/**
 * A window of the week, in local time.
 *
 * @param days the days on which it starts
 * @param from its first minute
 * @param to the minute after its last; before {@code from} it lies on the next day
 * @param maxOutOfOrderness its value
 */
@Lenient
@ValidationRule(
    value = "self.from != self.to",
    message = "from and to are equal; the whole day is written 00:00 to 24:00")
@ValidationRule(
    value = "duration(self.maxOutOfOrderness) <= duration('168h')",
    message = "maxOutOfOrderness must be at most 168h")
public record WindowSpec(
    @JsonPropertyDescription("The days on which the window starts.")
        @Required
        @Size(min = 1, max = 7)
        List<Day> days,
    @JsonPropertyDescription("Its first minute, like \"07:00\".")
        @Required
        @Pattern(Patterns.FROM)
        @Size(min = 5, max = 5)
        String from,
    @JsonPropertyDescription(
            "The minute after its last, like \"09:30\", up to \"24:00\". A time before from lies on"
                + " the next day.")
        @Required
        @Pattern(Patterns.TO)
        @Size(min = 5, max = 5)
        String to,
    @JsonPropertyDescription("Out-of-orderness inside the window.")
        @Required
        @Pattern(Patterns.DURATION)
        @Size(min = 2, max = Patterns.DURATION_LENGTH)
        String maxOutOfOrderness) {

  /** Absent lists become empty. */
  public WindowSpec {
    days = Lists.orEmpty(days);
  }
}
