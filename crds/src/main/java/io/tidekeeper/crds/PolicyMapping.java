package io.tidekeeper.crds;

import io.tidekeeper.policy.InvalidPolicyException;
import io.tidekeeper.policy.PolicyOptions;
import io.tidekeeper.policy.PolicySettings;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * What a spec means. It goes through the same options a job reads, so that what the controller
 * accepts and what the job accepts can never differ.
 */
public final class PolicyMapping {

  private PolicyMapping() {}

  /**
   * The settings of a spec, with revision 0. The rollout block is no part of them.
   *
   * @throws UnacceptableSpecException with every problem, each at the path of its field
   */
  public static PolicySettings toSettings(WatermarkPolicySpec spec) {
    Map<String, String> options = new TreeMap<>();
    SpecOptions.ofDefaults(spec)
        .forEach((key, value) -> options.put(PolicyOptions.DEFAULT_PREFIX + key, value));
    for (SourceSpec source : spec.sources()) {
      SpecOptions.ofSource(source)
          .forEach(
              (key, value) ->
                  options.put(PolicyOptions.SOURCE_PREFIX + source.name() + "." + key, value));
    }
    try {
      // There is always a policy: an empty one lacks its required watermark type.
      return Objects.requireNonNull(PolicyOptions.read(options));
    } catch (InvalidPolicyException e) {
      throw new UnacceptableSpecException(FieldPaths.of(spec).translate(e.problems()));
    }
  }
}
