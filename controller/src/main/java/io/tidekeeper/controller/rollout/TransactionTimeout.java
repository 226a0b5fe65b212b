package io.tidekeeper.controller.rollout;

import io.tidekeeper.controller.flink.FlinkDeployment;
import io.tidekeeper.crds.RolloutSettings;
import io.tidekeeper.policy.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long Kafka keeps what a job has written and not committed. A change may take that long from
 * the job's last commit to the first of the new job; what waits longer is lost.
 */
final class TransactionTimeout {

  /** The bundled job's option; it belongs to the owner of the target. */
  static final String OPTION = "tidekeeper.kafka.transaction-timeout";

  /** What only the bundled job has; how another job writes its results is not known here. */
  static final String BUNDLED = "tidekeeper.pipeline";

  /** What the bundled job takes when nothing, or nothing readable, is given. */
  static final Duration DEFAULT = Duration.ofMinutes(15);

  private TransactionTimeout() {}

  /** Why a change could lose results of the target; null when it could not. */
  static @Nullable Notice tooShort(FlinkDeployment target, RolloutSettings rollout) {
    if (!target.configuration().containsKey(BUNDLED)) {
      return null;
    }
    Duration timeout = of(target);
    Duration longest = rollout.savepointTimeout().plus(rollout.healthDeadline());
    if (timeout.compareTo(longest) >= 0) {
      return null;
    }
    return new Notice(
        Reason.TransactionTimeoutTooShort,
        ("%s is %s, shorter than savepointTimeout %s and healthDeadline %s together: Kafka could drop"
                + " results of a change that takes that long. Set the option to at least %s on the"
                + " FlinkDeployment (the broker's transaction.max.timeout.ms allows 15m unless it is"
                + " raised), or shorten the two.")
            .formatted(
                OPTION,
                Durations.format(timeout),
                Durations.format(rollout.savepointTimeout()),
                Durations.format(rollout.healthDeadline()),
                Durations.format(longest)));
  }

  private static Duration of(FlinkDeployment target) {
    String value = target.configuration().get(OPTION);
    try {
      return value == null ? DEFAULT : Durations.parse(value);
    } catch (IllegalArgumentException e) {
      // The job itself refuses to start on it and says so.
      return DEFAULT;
    }
  }
}
