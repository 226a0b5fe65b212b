package io.tidekeeper.policy;

import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Which differences between two policies a running job cannot take without a restart. */
public final class LiveChange {

  private LiveChange() {}

  /**
   * The options that differ between the policies and cannot change without a restart, see {@link
   * PolicyOption#live}. The revision is no difference.
   *
   * @param running what the job was started with
   * @param wanted what it should run on
   * @return full keys, {@code tidekeeper.default.late.topic} say; empty when a restart is not
   *     needed
   */
  public static SortedSet<String> needingRestart(PolicySettings running, PolicySettings wanted) {
    SortedSet<String> keys = new TreeSet<>();
    Set<PolicyOption> common = fixed(running.defaults(), wanted.defaults());
    common.forEach(option -> keys.add(PolicyOptions.DEFAULT_PREFIX + option.key()));
    SortedSet<String> sources = new TreeSet<>(running.sources().keySet());
    sources.addAll(wanted.sources().keySet());
    for (String source : sources) {
      Set<PolicyOption> own = fixed(running.forSource(source), wanted.forSource(source));
      // Said once, of the defaults, for every source that inherits it.
      own.removeAll(common);
      own.forEach(option -> keys.add(PolicyOptions.SOURCE_PREFIX + source + "." + option.key()));
    }
    return keys;
  }

  private static Set<PolicyOption> fixed(SourceSettings running, SourceSettings wanted) {
    Map<PolicyOption, String> before = PolicyWriter.all(running);
    Map<PolicyOption, String> after = PolicyWriter.all(wanted);
    Set<PolicyOption> different = EnumSet.noneOf(PolicyOption.class);
    for (PolicyOption option : PolicyOption.values()) {
      if (!option.live() && !Objects.equals(before.get(option), after.get(option))) {
        different.add(option);
      }
    }
    return different;
  }
}
