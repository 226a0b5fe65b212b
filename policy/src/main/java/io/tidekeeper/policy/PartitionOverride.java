package io.tidekeeper.policy;

import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What differs for some partitions of a Kafka topic.
 *
 * @param name tells overrides apart, 1 to 63 of {@code a-z 0-9 -}
 * @param topic a Kafka topic name
 * @param partitions at least one; kept in order and without overlaps
 * @param maxOutOfOrderness their constant in place of the source's strategy, 0s to 7 days, or null:
 *     the strategy holds
 * @param idleTimeout their idle timeout, 1ms to 365 days, or null: the source's holds. One of the
 *     two must be given
 */
public record PartitionOverride(
    String name,
    String topic,
    List<PartitionRange> partitions,
    @Nullable Duration maxOutOfOrderness,
    @Nullable Duration idleTimeout)
    implements Serializable {

  /**
   * @throws IllegalArgumentException if a name is not legal, there is no partition, a duration is
   *     out of range or both are missing
   */
  public PartitionOverride {
    if (!Names.isSource(name)) {
      throw new IllegalArgumentException(
          "the name '" + name + "' must be 1 to 63 of the characters a-z 0-9 -");
    }
    if (!Names.isTopic(topic)) {
      throw new IllegalArgumentException(
          "the topic '" + topic + "' must be " + PolicyOption.LATE_TOPIC.allowed());
    }
    partitions = PartitionRange.normalized(partitions);
    if (partitions.isEmpty()) {
      throw new IllegalArgumentException("override '" + name + "' names no partition");
    }
    if (maxOutOfOrderness == null && idleTimeout == null) {
      throw new IllegalArgumentException(
          "override '"
              + name
              + "' changes nothing: give max-out-of-orderness, idle-timeout or both");
    }
    if (maxOutOfOrderness != null) {
      PolicyOption.BOUNDED_MAX_OUT_OF_ORDERNESS.require(maxOutOfOrderness);
    }
    if (idleTimeout != null) {
      PolicyOption.IDLE_TIMEOUT.require(idleTimeout);
    }
  }

  /** Whether this is about the split with this id, which Kafka's source calls topic-partition. */
  public boolean covers(String splitId) {
    int dash = splitId.length() - 1;
    while (dash >= 0 && Character.digit(splitId.charAt(dash), 10) >= 0) {
      dash--;
    }
    int digits = splitId.length() - dash - 1;
    if (dash != topic.length()
        || digits < 1
        || digits > 6
        || splitId.charAt(dash) != '-'
        || !splitId.startsWith(topic)) {
      return false;
    }
    int partition = Integer.parseInt(splitId.substring(dash + 1));
    return partitions.stream().anyMatch(range -> range.contains(partition));
  }
}
