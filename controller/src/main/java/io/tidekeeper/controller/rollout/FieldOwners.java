package io.tidekeeper.controller.rollout;

import io.tidekeeper.controller.flink.FlinkDeployment;
import io.tidekeeper.policy.PolicyOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Who else claims our options on a target. */
final class FieldOwners {

  /** The name under which this controller applies. */
  static final String MANAGER = "tidekeeper";

  private static final int NAMED = 3;

  private FieldOwners() {}

  /** Whether we own these options, perhaps together with others. */
  static boolean isOurs(FlinkDeployment target, OwnKeys keys) {
    return target.managers().isEmpty()
        || keys.options().keySet().stream()
            .allMatch(key -> target.managers().getOrDefault(key, Set.of()).contains(MANAGER));
  }

  /**
   * What server-side apply would refuse, or what would stay beside our options; null if nothing.
   */
  static @Nullable Notice conflict(FlinkDeployment target, OwnKeys wanted) {
    List<String> claims = new ArrayList<>();
    OwnKeys.in(target.configuration())
        .options()
        .forEach(
            (key, value) -> {
              Set<String> others = new TreeSet<>(target.managers().getOrDefault(key, Set.of()));
              others.remove(MANAGER);
              if (!others.isEmpty() && !value.equals(wanted.options().get(key))) {
                claims.add(key + " by " + String.join(", ", others));
              }
            });
    if (claims.isEmpty()) {
      return null;
    }
    String more = claims.size() > NAMED ? " and " + (claims.size() - NAMED) + " more" : "";
    return new Notice(
        Reason.FieldConflict,
        "Options of the policy are owned by others on FlinkDeployment "
            + target.name()
            + ": "
            + String.join("; ", claims.subList(0, Math.min(NAMED, claims.size())))
            + more
            + ". Remove them there: thresholds stand in the policy only.");
  }

  /** Spellings under which one of our options exists twice; null if there is none. */
  static @Nullable Notice overlap(FlinkDeployment target, OwnKeys wanted) {
    Set<String> twice = new TreeSet<>();
    target.nestedKeys().stream().filter(PolicyOptions::owns).forEach(twice::add);
    for (String key : target.configuration().keySet()) {
      for (String own : wanted.options().keySet()) {
        if (own.startsWith(key + ".") || key.startsWith(own + ".")) {
          twice.add(key);
        }
      }
    }
    if (twice.isEmpty()) {
      return null;
    }
    return new Notice(
        Reason.OverlappingKeys,
        "spec.flinkConfiguration of FlinkDeployment "
            + target.name()
            + " has nested or overlapping keys where the policy's options go: "
            + String.join(", ", twice)
            + ". Flink refuses such a configuration; remove them.");
  }
}
