package io.tidekeeper.job.source;

import io.tidekeeper.policy.PolicyOptions;
import io.tidekeeper.policy.PolicySettings;
import io.tidekeeper.policy.SourceSettings;
import java.io.Serializable;
import java.util.HashMap;
import java.util.TreeMap;

/**
 * The part of a policy that one source runs on, in the form that travels in the job graph:
 * canonical options, which later versions can still read.
 *
 * @param sourceName the name policies know the source by
 * @param options the whole policy as canonical {@code tidekeeper.*} options
 */
public record SourcePolicy(String sourceName, HashMap<String, String> options)
    implements Serializable {

  private static final long serialVersionUID = 1L;

  /** The policy {@code policy} as the source named {@code sourceName} sees it. */
  public static SourcePolicy of(String sourceName, PolicySettings policy) {
    return new SourcePolicy(sourceName, new HashMap<>(PolicyOptions.write(policy)));
  }

  /** The settings of this source. */
  public SourceSettings settings() {
    return read().forSource(sourceName);
  }

  /** The policy's revision; 0 for a policy that no controller numbered. */
  public long revision() {
    return read().revision();
  }

  /** The whole policy, of all sources. */
  public PolicySettings policy() {
    return read();
  }

  private PolicySettings read() {
    PolicySettings policy = PolicyOptions.read(new TreeMap<>(options));
    if (policy == null) {
      throw new IllegalStateException("no policy in " + options);
    }
    return policy;
  }
}
