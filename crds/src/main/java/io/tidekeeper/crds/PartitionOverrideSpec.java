package io.tidekeeper.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What differs for some partitions of a topic.
 *
 * @param name tells it from others
 * @param topic the Kafka topic
 * @param partitions numbers and ranges
 * @param maxOutOfOrderness their constant, or null: the strategy holds
 * @param idleTimeout their idle timeout, or null: the source's holds
 */
@Lenient
@ValidationRule(
    value = "has(self.maxOutOfOrderness) || has(self.idleTimeout)",
    message = "an override must change something: give it maxOutOfOrderness, idleTimeout or both")
@ValidationRule(
    value = "!has(self.maxOutOfOrderness) || duration(self.maxOutOfOrderness) <= duration('168h')",
    message = "maxOutOfOrderness must be at most 168h")
@ValidationRule(
    value =
        "!has(self.idleTimeout) || (duration(self.idleTimeout) >= duration('1ms')"
            + " && duration(self.idleTimeout) <= duration('8760h'))",
    message = "idleTimeout must be from 1ms to 8760h")
public record PartitionOverrideSpec(
    @JsonPropertyDescription("Tells the override from others.")
        @Required
        @Pattern(Patterns.SOURCE)
        @Size(min = 1, max = 63)
        String name,
    @JsonPropertyDescription("The Kafka topic.")
        @Required
        @Pattern(Patterns.TOPIC)
        @Size(min = 1, max = 249)
        String topic,
    @JsonPropertyDescription("Partition numbers and ranges, like \"3\" and \"7-9\".")
        @Required
        @Size(min = 1, max = 32)
        List<@Pattern(Patterns.PARTITIONS) @Size(min = 1, max = 13) String> partitions,
    @JsonPropertyDescription(
            "Their constant out-of-orderness in place of the strategy. What they observe is not"
                + " learned from.")
        @Pattern(Patterns.DURATION)
        @Size(min = 2, max = Patterns.DURATION_LENGTH)
        @Nullable String maxOutOfOrderness,
    @JsonPropertyDescription("Their idle timeout in place of the source's.")
        @Pattern(Patterns.DURATION)
        @Size(min = 2, max = Patterns.DURATION_LENGTH)
        @Nullable String idleTimeout) {

  /** Absent lists become empty. */
  public PartitionOverrideSpec {
    partitions = Lists.orEmpty(partitions);
  }
}
