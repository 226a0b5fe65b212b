package io.tidekeeper.controller.rollout;

import io.tidekeeper.controller.flink.FlinkDeployment;
import org.jspecify.annotations.Nullable;

/**
 * Everything a decision depends on, besides the time.
 *
 * @param policy the policy
 * @param record what is remembered about the target
 * @param holder another policy that holds the target, as namespace/name, or null
 * @param target the FlinkDeployment, or null when there is none
 * @param job what the job says, or null when it could not be asked
 * @param unheard why the job could not be asked, or empty
 * @param refusal why the target, exactly as seen here, refused our last write because of other
 *     owners of our fields, or null; once the target has changed it is worth another try
 */
public record Observation(
    PolicyView policy,
    TargetRecord record,
    @Nullable String holder,
    @Nullable FlinkDeployment target,
    @Nullable JobReading job,
    String unheard,
    @Nullable String refusal) {

  /** The same with another record. */
  public Observation with(TargetRecord next) {
    return new Observation(policy, next, holder, target, job, unheard, refusal);
  }
}
