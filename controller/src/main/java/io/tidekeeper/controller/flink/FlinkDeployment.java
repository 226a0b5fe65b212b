package io.tidekeeper.controller.flink;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A FlinkDeployment as it was seen.
 *
 * @param name its name
 * @param uid its identity; a new object under the name has another
 * @param generation the number of its spec
 * @param deleting whether it is being deleted
 * @param annotations its annotations
 * @param blueGreenParent the name of the FlinkBlueGreenDeployment that owns it, or null
 * @param application whether it runs one job, not a session cluster
 * @param upgradeMode how the operator upgrades it
 * @param suspended whether its owner has stopped it
 * @param configuration its Flink configuration, flat
 * @param nestedKeys the flat names of keys that are written as nested YAML
 * @param clashes keys that are written both flat and nested
 * @param managers who owns which flat key of the configuration, by key
 * @param operator what the operator says
 */
public record FlinkDeployment(
    String name,
    String uid,
    long generation,
    boolean deleting,
    SortedMap<String, String> annotations,
    @Nullable String blueGreenParent,
    boolean application,
    UpgradeMode upgradeMode,
    boolean suspended,
    SortedMap<String, String> configuration,
    SortedSet<String> nestedKeys,
    SortedSet<String> clashes,
    Map<String, Set<String>> managers,
    OperatorView operator) {

  /** Copies every collection. */
  public FlinkDeployment {
    annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
    configuration = Collections.unmodifiableSortedMap(new TreeMap<>(configuration));
    nestedKeys = Collections.unmodifiableSortedSet(new TreeSet<>(nestedKeys));
    clashes = Collections.unmodifiableSortedSet(new TreeSet<>(clashes));
    managers = Map.copyOf(managers);
  }

  /** Whether the operator has acted on the spec as it stands now. */
  public boolean observed() {
    return operator.observedGeneration() == generation;
  }
}
