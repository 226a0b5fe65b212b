package io.tidekeeper.controller.rollout;

import io.tidekeeper.policy.InvalidPolicyException;
import io.tidekeeper.policy.PolicyOptions;
import io.tidekeeper.policy.PolicySettings;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The options of a policy in a Flink configuration: the keys this controller owns on a target.
 *
 * @param options by key
 */
public record OwnKeys(SortedMap<String, String> options) {

  /** A target without any policy. */
  public static final OwnKeys NONE = new OwnKeys(new TreeMap<>());

  /** What stands for the hash where there is no policy. */
  public static final String NO_HASH = "none";

  /** Copies the options. */
  public OwnKeys {
    options = Collections.unmodifiableSortedMap(new TreeMap<>(options));
  }

  /** The options of these settings with this number. */
  public static OwnKeys of(PolicySettings settings, long revision) {
    return new OwnKeys(
        PolicyOptions.write(new PolicySettings(revision, settings.defaults(), settings.sources())));
  }

  /** The policy options among others. */
  public static OwnKeys in(Map<String, String> configuration) {
    SortedMap<String, String> own = new TreeMap<>(configuration);
    own.keySet().removeIf(key -> !PolicyOptions.owns(key));
    return new OwnKeys(own);
  }

  /** Whether there is none. */
  public boolean isEmpty() {
    return options.isEmpty();
  }

  /** The number, 0 when there is none. */
  public long revision() {
    try {
      return Math.max(0, Long.parseLong(options.getOrDefault(PolicyOptions.REVISION, "0").strip()));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** Identifies the settings without their number; null when the options mean no policy. */
  public @Nullable String hash() {
    if (isEmpty()) {
      return NO_HASH;
    }
    try {
      PolicySettings settings = PolicyOptions.read(options);
      return settings == null ? null : settings.hash();
    } catch (InvalidPolicyException e) {
      return null;
    }
  }

  /**
   * The policy format a job must understand to run on these options; 1 when they mean no policy,
   * because every job that reads policies knows how to run without one.
   */
  public int format() {
    try {
      PolicySettings settings = PolicyOptions.read(options);
      return settings == null ? 1 : PolicyOptions.formatOf(settings);
    } catch (InvalidPolicyException e) {
      return 1;
    }
  }

  /**
   * Whether a target can be given these options: all of a numbered policy or none at all. With
   * anything between, a target would lose options that it needs.
   */
  public boolean isComplete() {
    return isEmpty() || (options.containsKey(PolicyOptions.REVISION) && hash() != null);
  }

  /** The same settings under another number; none stays none. */
  public OwnKeys withRevision(long revision) {
    if (isEmpty()) {
      return this;
    }
    SortedMap<String, String> renumbered = new TreeMap<>(options);
    renumbered.put(PolicyOptions.REVISION, Long.toString(revision));
    return new OwnKeys(renumbered);
  }
}
