package io.tidekeeper.policy;

import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The flat string options in which a policy travels from the controller to a job.
 *
 * <ul>
 *   <li>{@code tidekeeper.revision}: a whole number, 0 or more; default 0
 *   <li>{@code tidekeeper.default.<option>}: what holds for every source
 *   <li>{@code tidekeeper.source.<name>.<option>}: what differs for one source. The strategy and
 *       the alignment are inherited or replaced as a whole, other options one by one; {@code none}
 *       unsets an optional one
 * </ul>
 *
 * The options themselves are documented in {@link PolicyOption}.
 */
public final class PolicyOptions {

  /**
   * What this version understands. It rises when an option or value is added that an older job
   * would refuse.
   */
  public static final int POLICY_FORMAT = 2;

  /** Key of the revision: a whole number, 0 or more. */
  public static final String REVISION = "tidekeeper.revision";

  /** Prefix of the options that hold for every source. */
  public static final String DEFAULT_PREFIX = "tidekeeper.default.";

  /** Prefix of the options of one source; its name and a dot follow. */
  public static final String SOURCE_PREFIX = "tidekeeper.source.";

  /** Unsets an option that a source would inherit, and options of the job that may be absent. */
  public static final String NONE = Names.NONE;

  private PolicyOptions() {}

  /** Whether the key belongs to a policy. Everything else is ignored when a policy is read. */
  public static boolean owns(String key) {
    return key.equals(REVISION)
        || key.startsWith(REVISION + ".")
        || key.startsWith(DEFAULT_PREFIX)
        || key.startsWith(SOURCE_PREFIX);
  }

  /**
   * Reads a policy.
   *
   * @param options any configuration; keys this codec does not own are ignored
   * @return the policy, or null when there is none (a revision alone is none)
   * @throws InvalidPolicyException with every problem at once
   */
  public static @Nullable PolicySettings read(Map<String, String> options) {
    return new PolicyReader(options).read();
  }

  /**
   * The sources that options speak of, also where those options are wrong otherwise. Names that no
   * source can have are left out; {@link #read} reports them.
   *
   * @param options any configuration
   */
  public static SortedSet<String> sourceNames(Map<String, String> options) {
    SortedSet<String> names = new TreeSet<>();
    for (String key : options.keySet()) {
      if (key.startsWith(SOURCE_PREFIX)) {
        int dot = key.indexOf('.', SOURCE_PREFIX.length());
        String name = key.substring(SOURCE_PREFIX.length(), dot < 0 ? key.length() : dot);
        if (Names.isSource(name)) {
          names.add(name);
        }
      }
    }
    return names;
  }

  /** Whether this is a legal Kafka topic name, and not the literal that unsets one. */
  public static boolean isTopicName(String name) {
    return Names.isTopic(name);
  }

  /**
   * The first format that understands a policy: a job that reports an older one refuses it.
   *
   * @return 1 to {@link #POLICY_FORMAT}
   */
  public static int formatOf(PolicySettings settings) {
    return PolicyFormat.of(settings);
  }

  /**
   * Writes a policy as canonical options: reading them gives an equal policy, and equal policies
   * are written equally.
   */
  public static SortedMap<String, String> write(PolicySettings settings) {
    return PolicyWriter.write(settings);
  }
}
