package io.tidekeeper.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/**
 * The watermarks of a source: a union, of which exactly the member named by the type is given.
 *
 * @param type how out-of-orderness is determined; null when only a newer version knows the type
 * @param bounded the member of Bounded
 * @param schedule the member of Schedule
 * @param emit when watermarks are emitted
 * @param maxOutOfOrdernessCap the limit of every out-of-orderness
 * @param maxFutureSkew how far ahead of its reference clock a record may be
 * @param idleTimeout after how long a silent partition no longer holds the watermark back
 */
@Lenient
@ValidationRule(
    value = "(self.type == 'Bounded') == has(self.bounded)",
    message = "the member bounded belongs to type Bounded: give it there, and only there")
@ValidationRule(
    value = "(self.type == 'Schedule') == has(self.schedule)",
    message = "the member schedule belongs to type Schedule: give it there, and only there")
@ValidationRule(
    value =
        "!has(self.bounded) || !has(self.maxOutOfOrdernessCap)"
            + " || duration(self.bounded.maxOutOfOrderness) <= duration(self.maxOutOfOrdernessCap)",
    message = "bounded.maxOutOfOrderness is above maxOutOfOrdernessCap")
@ValidationRule(
    value =
        "!has(self.maxOutOfOrdernessCap) || duration(self.maxOutOfOrdernessCap) <="
            + " duration('168h')",
    message = "maxOutOfOrdernessCap must be at most 168h")
@ValidationRule(
    value = "!has(self.maxFutureSkew) || duration(self.maxFutureSkew) <= duration('8760h')",
    message = "maxFutureSkew must be at most 8760h")
@ValidationRule(
    value =
        "!has(self.idleTimeout) || (duration(self.idleTimeout) >= duration('1ms')"
            + " && duration(self.idleTimeout) <= duration('8760h'))",
    message = "idleTimeout must be from 1ms to 8760h")
public record WatermarkSpec(
    @JsonPropertyDescription(
            "How much older than the newest record of its partition a record may be: a constant"
                + " (Bounded), by time of day (Schedule), not at all (Monotonous); None emits no"
                + " watermarks.")
        @Required
        @NewerValuesAsNull
        @Nullable WatermarkType type,
    @JsonPropertyDescription("The constant; exactly with type Bounded.")
        @Nullable BoundedSpec bounded,
    @JsonPropertyDescription("The schedule; exactly with type Schedule.")
        @Nullable ScheduleSpec schedule,
    @JsonPropertyDescription("When watermarks are emitted. Absent: every 200ms.")
        @Nullable EmitSpec emit,
    @JsonPropertyDescription(
            "No scheduled value exceeds this; a constant above it is refused. Absent: no cap.")
        @Pattern(Patterns.DURATION)
        @Size(min = 2, max = Patterns.DURATION_LENGTH)
        @Nullable String maxOutOfOrdernessCap,
    @JsonPropertyDescription(
            "A record further than this ahead of its reference clock does not advance event time."
                + " Absent: no limit.")
        @Pattern(Patterns.DURATION)
        @Size(min = 2, max = Patterns.DURATION_LENGTH)
        @Nullable String maxFutureSkew,
    @JsonPropertyDescription(
            "A partition without records for this long no longer holds the watermark back. Absent:"
                + " never idle. Required with alignment that pauses.")
        @Pattern(Patterns.DURATION)
        @Size(min = 2, max = Patterns.DURATION_LENGTH)
        @Nullable String idleTimeout) {}
