package io.tidekeeper.crds;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.tidekeeper.policy.ScheduleClock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Out-of-orderness by time of day and day of week.
 *
 * @param timeZone the zone in which the windows are meant
 * @param clock whether the record's own time or the wall clock selects the window
 * @param otherwise the value outside all windows
 * @param windows windows with values of their own
 */
@Lenient
@ValidationRule(
    value = "duration(self.default) <= duration('168h')",
    message = "default must be at most 168h")
public record ScheduleSpec(
    @JsonPropertyDescription(
            "The time zone of the windows: a region like Asia/Shanghai, UTC, or an offset like"
                + " UTC+08:00.")
        @Required
        @Pattern(Patterns.TIME_ZONE)
        @Size(min = 1, max = 64)
        String timeZone,
    @JsonPropertyDescription(
            "Whether the record's own time or the wall clock selects the window. With EventTime a"
                + " replay gives the same result.")
        @Default("EventTime")
        @NewerValuesAsNull
        @Nullable ScheduleClock clock,
    @JsonPropertyDescription("Out-of-orderness outside all windows.")
        @JsonProperty("default")
        @Required
        @Pattern(Patterns.DURATION)
        @Size(min = 2, max = Patterns.DURATION_LENGTH)
        String otherwise,
    @JsonPropertyDescription("Windows of the week with a value of their own; none may overlap.")
        @Required
        @Size(min = 1, max = 32)
        List<WindowSpec> windows) {

  /** Absent lists become empty. */
  public ScheduleSpec {
    windows = Lists.orEmpty(windows);
  }
}
