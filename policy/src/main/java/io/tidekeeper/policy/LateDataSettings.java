package io.tidekeeper.policy;

import java.io.Serializable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What happens to records that arrive after the watermark.
 *
 * @param allowedLateness how long a window still accepts them, 0s to 365 days
 * @param topic the Kafka topic for those too late even then, or null: they are counted and dropped
 */
public record LateDataSettings(Duration allowedLateness, @Nullable String topic)
    implements Serializable {

  /**
   * @throws IllegalArgumentException if the duration is out of range or the topic is not a legal
   *     Kafka topic name (or is the literal {@code none})
   */
  public LateDataSettings {
    PolicyOption.ALLOWED_LATENESS.require(allowedLateness);
    if (topic != null && !Names.isTopic(topic)) {
      throw new IllegalArgumentException(
          PolicyOption.LATE_TOPIC.key() + " must be " + PolicyOption.LATE_TOPIC.allowed());
    }
  }
}
