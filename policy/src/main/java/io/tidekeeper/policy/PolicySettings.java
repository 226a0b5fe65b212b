package io.tidekeeper.policy;

import java.io.Serializable;
import java.util.Collections;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A whole policy as one job sees it.
 *
 * @param revision number of this policy on its target, 0 or more; 0 means that no controller
 *     numbered it
 * @param defaults what holds for every source not named in {@code sources}
 * @param sources complete settings of the sources that differ, by name (1 to 63 of {@code a-z 0-9
 *     -})
 */
public record PolicySettings(
    long revision, SourceSettings defaults, SortedMap<String, SourceSettings> sources)
    implements Serializable {

  /**
   * @throws IllegalArgumentException if the revision is negative or a source name is not legal
   */
  public PolicySettings {
    if (revision < 0) {
      throw new IllegalArgumentException("revision must be 0 or more, not " + revision);
    }
    Objects.requireNonNull(defaults);
    // Not the sorted-map constructor: that would keep the caller's comparator.
    TreeMap<String, SourceSettings> copy = new TreeMap<>();
    copy.putAll(sources);
    for (String name : copy.keySet()) {
      if (!isSourceName(name)) {
        throw new IllegalArgumentException(
            "source name '" + name + "' must be 1 to 63 of the characters a-z 0-9 -");
      }
    }
    sources = Collections.unmodifiableSortedMap(copy);
  }

  /** Whether a policy can address a source by this name: 1 to 63 of {@code a-z 0-9 -}. */
  public static boolean isSourceName(String name) {
    return Names.isSource(name);
  }

  /** The settings of a source: its own, else the defaults. */
  public SourceSettings forSource(String name) {
    return sources.getOrDefault(name, defaults);
  }

  /**
   * Sixteen hex digits that identify the content without the revision. Policies that are equal up
   * to the revision have the same hash, however they were spelled.
   */
  public String hash() {
    return PolicyHash.of(this);
  }
}
