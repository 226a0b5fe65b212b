package io.tidekeeper.crds;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What has become of a policy.
 *
 * @param observedGeneration the generation of the spec this status speaks about
 * @param conditions Ready, Applied, Accepted, Reconciling, Stalled and Paused over all targets
 * @param targets one entry per target
 */
@Lenient
public record WatermarkPolicyStatus(
    @JsonPropertyDescription("The generation of the spec this status speaks about.")
        @Nullable Long observedGeneration,
    @JsonPropertyDescription("The state of the policy over all its targets.")
        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        @Size(max = 16)
        List<PolicyCondition> conditions,
    @JsonPropertyDescription("The whole record of every target's rollout.")
        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        @Size(max = 32)
        List<TargetStatus> targets) {

  /** Absent lists become empty. */
  public WatermarkPolicyStatus {
    conditions = Lists.orEmpty(conditions);
    targets = Lists.orEmpty(targets);
  }
}
