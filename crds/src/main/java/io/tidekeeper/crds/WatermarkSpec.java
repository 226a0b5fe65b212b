package io.tidekeeper.crds;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The watermarks of a source: a union, of which exactly the member named by the type is given.
 *
 * @param type how out-of-orderness is determined; null when only a newer version knows the type
 * @param bounded the member of Bounded
 * @param schedule the member of Schedule
 * @param punctuated the member of Punctuated
 * @param throughput the member of Throughput
 * @param quantile the member of Quantile
 * @param adaptive the member of Adaptive
 * @param emit when watermarks are emitted
 * @param maxOutOfOrdernessCap the limit of every out-of-orderness
 * @param maxFutureSkew how far ahead of its reference clock a record may be
 * @param idleTimeout after how long a silent partition no longer holds the watermark back
 * @param partitionOverrides what differs for some partitions
 */
@Lenient
@ValidationRule(
    value = "(self.type == 'Bounded') == has(self.bounded)",
    message = "the member bounded belongs to type Bounded: give it there, and only there")
@ValidationRule(
    value = "(self.type == 'Schedule') == has(self.schedule)",
    message = "the member schedule belongs to type Schedule: give it there, and only there")
@ValidationRule(
    value = "(self.type == 'Punctuated') == has(self.punctuated)",
    message = "the member punctuated belongs to type Punctuated: give it there, and only there")
@ValidationRule(
    value = "(self.type == 'Throughput') == has(self.throughput)",
    message = "the member throughput belongs to type Throughput: give it there, and only there")
@ValidationRule(
    value = "(self.type == 'Quantile') == has(self.quantile)",
    message = "the member quantile belongs to type Quantile: give it there, and only there")
@ValidationRule(
    value = "(self.type == 'Adaptive') == has(self.adaptive)",
    message = "the member adaptive belongs to type Adaptive: give it there, and only there")
@ValidationRule(
    value =
        "!has(self.bounded) || !has(self.maxOutOfOrdernessCap)"
            + " || duration(self.bounded.maxOutOfOrderness) <= duration(self.maxOutOfOrdernessCap)",
    message = "bounded.maxOutOfOrderness is above maxOutOfOrdernessCap")
@ValidationRule(
    value =
        "!has(self.partitionOverrides) || !has(self.maxOutOfOrdernessCap)"
            + " || self.partitionOverrides.all(o, !has(o.maxOutOfOrderness)"
            + " || duration(o.maxOutOfOrderness) <= duration(self.maxOutOfOrdernessCap))",
    message = "the maxOutOfOrderness of a partition override is above maxOutOfOrdernessCap")
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
                + " (Bounded), by time of day (Schedule), by the rate of the source (Throughput), by"
                + " the lateness observed lately (Quantile), the smallest that keeps a share of late"
                + " records (Adaptive), not at all (Monotonous); records carry watermarks"
                + " (Punctuated); None emits no watermarks.")
        @Required
        @NewerValuesAsNull
        @Nullable WatermarkType type,
    @JsonPropertyDescription("The constant; exactly with type Bounded.")
        @Nullable BoundedSpec bounded,
    @JsonPropertyDescription("The schedule; exactly with type Schedule.")
        @Nullable ScheduleSpec schedule,
    @JsonPropertyDescription("Where records carry watermarks; exactly with type Punctuated.")
        @Nullable PunctuatedSpec punctuated,
    @JsonPropertyDescription("The rates and their values; exactly with type Throughput.")
        @Nullable ThroughputSpec throughput,
    @JsonPropertyDescription("The quantile and its limits; exactly with type Quantile.")
        @Nullable QuantileSpec quantile,
    @JsonPropertyDescription("The late share and the limits; exactly with type Adaptive.")
        @Nullable AdaptiveSpec adaptive,
    @JsonPropertyDescription("When watermarks are emitted. Absent: every 200ms.")
        @Nullable EmitSpec emit,
    @JsonPropertyDescription(
            "No scheduled or learned value exceeds this; a constant above it is refused. Absent: no cap.")
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
        @Nullable String idleTimeout,
    @JsonPropertyDescription("Partitions with their own constant out-of-orderness or idle timeout.")
        @Size(max = 16)
        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<PartitionOverrideSpec> partitionOverrides) {

  /** Absent lists become empty. */
  public WatermarkSpec {
    partitionOverrides = Lists.orEmpty(partitionOverrides);
  }
}
