package io.tidekeeper.job;

import io.tidekeeper.job.live.LiveOptions;
import io.tidekeeper.job.source.SourcePolicy;
import io.tidekeeper.job.watermark.EmitCycle;
import io.tidekeeper.policy.InvalidPolicyException;
import io.tidekeeper.policy.PolicyOptions;
import io.tidekeeper.policy.PolicySettings;
import io.tidekeeper.policy.Problem;
import io.tidekeeper.policy.SourceSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;

/**
 * The entry point for a Flink job that takes its watermarks from a policy.
 *
 * <pre>{@code
 * Tidekeeper tidekeeper = Tidekeeper.from(env);
 * DataStream<Trip> trips =
 *     tidekeeper.source(kafkaSource, "trips")
 *         .timestamps(Trip::eventTime).fallback(Duration.ofSeconds(5)).uid("trips-source").build();
 * }</pre>
 *
 * <p>Policies arrive as {@code tidekeeper.*} options of the Flink configuration. Without any, each
 * source runs on the fallback given in code and reports revision 0. With {@code
 * tidekeeper.live.file} a running job follows a file, too; see {@link LiveOptions}.
 */
public final class Tidekeeper {

  private final StreamExecutionEnvironment env;
  private final @Nullable PolicySettings policy;
  private final LiveOptions live;
  private final EmitCycle emitCycle = new EmitCycle();
  private final Set<String> sources = new TreeSet<>();

  private Tidekeeper(
      StreamExecutionEnvironment env, @Nullable PolicySettings policy, LiveOptions live) {
    this.env = env;
    this.policy = policy;
    this.live = live;
  }

  /**
   * Reads the policy from the configuration of {@code env}.
   *
   * @throws InvalidPolicyException with every problem at once when an option is unknown or invalid
   */
  public static Tidekeeper from(StreamExecutionEnvironment env) {
    Map<String, String> configuration = env.getConfiguration().toMap();
    List<Problem> problems = new ArrayList<>();
    LiveOptions live = LiveOptions.read(configuration, problems);
    PolicySettings policy = null;
    try {
      policy = PolicyOptions.read(configuration);
    } catch (InvalidPolicyException e) {
      problems.addAll(e.problems());
    }
    if (!problems.isEmpty()) {
      throw new InvalidPolicyException(problems);
    }
    return new Tidekeeper(env, policy, live);
  }

  /**
   * Adds a source under the name by which policies know it.
   *
   * @param source any FLIP-27 source; KafkaSource is the one that is tested most
   * @param name 1 to 63 characters of {@code a-z 0-9 -}; unique in the job
   */
  public <T, SplitT extends SourceSplit, EnumT> PolicySourceBuilder<T, SplitT, EnumT> source(
      Source<T, SplitT, EnumT> source, String name) {
    if (!sources.add(name)) {
      throw new IllegalArgumentException("two sources are named '%s'".formatted(name));
    }
    return new PolicySourceBuilder<>(this, source, name);
  }

  /**
   * Checks that the policy speaks of sources of this job only. To be called after the last source.
   *
   * @throws InvalidPolicyException naming each source that the job does not have
   */
  public void checkSources() {
    if (policy == null) {
      return;
    }
    List<Problem> problems = new ArrayList<>();
    for (String name : policy.sources().keySet()) {
      if (!sources.contains(name)) {
        problems.add(
            new Problem(
                "tidekeeper.source." + name,
                name,
                "names a source that this job does not have; its sources are "
                    + String.join(", ", sources)));
      }
    }
    if (!problems.isEmpty()) {
      throw new InvalidPolicyException(problems);
    }
  }

  /**
   * What the policy says about a source beyond its watermarks: allowed lateness, late topic.
   * Without any policy, no lateness is allowed and there is no late topic.
   */
  public SourceSettings settings(String sourceName) {
    return policy == null
        ? SourceSettings.fallback(PolicySourceBuilder.DEFAULT_FALLBACK)
        : policy.forSource(sourceName);
  }

  StreamExecutionEnvironment env() {
    return env;
  }

  /** Where sources look for a newer policy while they run. */
  LiveOptions live() {
    return live;
  }

  EmitCycle emitCycle() {
    return emitCycle;
  }

  /** The policy of a source, or {@code fallback} when the configuration holds none. */
  SourcePolicy policyFor(String sourceName, PolicySettings fallback) {
    if (policy == null) {
      return SourcePolicy.of(sourceName, fallback);
    }
    Duration interval = emitCycle.include(policy.forSource(sourceName).emitInterval());
    env.getConfig().setAutoWatermarkInterval(interval.toMillis());
    return SourcePolicy.of(sourceName, policy);
  }
}
