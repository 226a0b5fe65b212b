package io.tidekeeper.job.pipeline;

import io.tidekeeper.job.live.LiveOptions;
import io.tidekeeper.policy.Durations;
import io.tidekeeper.policy.PolicyOptions;
import io.tidekeeper.policy.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.configuration.CheckpointingOptions;
import org.jspecify.annotations.Nullable;

/**
 * What the bundled job needs besides its policy: which pipeline, and where in Kafka.
 *
 * @param pipeline {@code subway}
 * @param bootstrapServers Kafka's {@code host:port}, comma-separated
 * @param inputTopic topic that is read
 * @param resultsTopic topic that results are written to, exactly once
 * @param deadLetterTopic topic for malformed records and those from the future; null for none
 * @param groupId consumer group whose committed offsets the first start goes on from
 * @param transactionalIdPrefix names the job's Kafka transactions; two jobs must never share one
 * @param transactionTimeout how long results may wait for their checkpoint before the broker drops
 *     them
 * @param watermarkRestore false shows what Flink does alone after a savepoint: windows fire twice
 * @param kafkaClientProperties handed to every Kafka client as they are, {@code security.protocol}
 *     say
 */
public record JobOptions(
    String pipeline,
    String bootstrapServers,
    String inputTopic,
    String resultsTopic,
    @Nullable String deadLetterTopic,
    String groupId,
    String transactionalIdPrefix,
    Duration transactionTimeout,
    boolean watermarkRestore,
    SortedMap<String, String> kafkaClientProperties) {

  static final String PREFIX = "tidekeeper.";
  static final String CLIENT_PREFIX = "tidekeeper.kafka.client.";

  /** The option that chooses the pipeline. */
  public static final String PIPELINE = "tidekeeper.pipeline";

  static final String BOOTSTRAP_SERVERS = "tidekeeper.kafka.bootstrap-servers";
  static final String INPUT_TOPIC = "tidekeeper.kafka.input-topic";
  static final String RESULTS_TOPIC = "tidekeeper.kafka.results-topic";
  static final String DEAD_LETTER_TOPIC = "tidekeeper.kafka.dead-letter-topic";
  static final String GROUP_ID = "tidekeeper.kafka.group-id";
  static final String TRANSACTIONAL_ID_PREFIX = "tidekeeper.kafka.transactional-id-prefix";
  static final String TRANSACTION_TIMEOUT = "tidekeeper.kafka.transaction-timeout";
  static final String WATERMARK_RESTORE = "tidekeeper.watermark-restore";

  /** Flink sets it on Kubernetes: the FlinkDeployment's name. */
  static final String CLUSTER_ID = "kubernetes.cluster-id";

  private static final String NAMESPACE = "kubernetes.namespace";

  /** The broker's usual cap, {@code transaction.max.timeout.ms}; above it the broker refuses. */
  static final Duration DEFAULT_TRANSACTION_TIMEOUT = Duration.ofMinutes(15);

  /** What each option means, for {@code --help} and for messages. */
  static final SortedMap<String, String> HELP =
      new TreeMap<>(
          Map.of(
              PIPELINE,
              "which pipeline to run: subway. Required",
              BOOTSTRAP_SERVERS,
              "Kafka's host:port, comma-separated. Required",
              INPUT_TOPIC,
              "topic to read. Required",
              RESULTS_TOPIC,
              "topic for results, written exactly once. Required",
              DEAD_LETTER_TOPIC,
              "topic for malformed records and those from the future. Default: none",
              GROUP_ID,
              "consumer group. Default: tidekeeper-<pipeline>",
              TRANSACTIONAL_ID_PREFIX,
              "names the job's Kafka transactions, unique per job. Default: namespace and name of the"
                  + " deployment, elsewhere tidekeeper-<results topic>",
              TRANSACTION_TIMEOUT,
              "how long results may wait for their checkpoint before the broker drops them. Longer"
                  + " than execution.checkpointing.timeout, at most the broker's"
                  + " transaction.max.timeout.ms. Default: 15m",
              WATERMARK_RESTORE,
              "false shows what Flink does alone after a savepoint: windows fire twice. For tests"
                  + " and comparisons only. Default: true",
              CLIENT_PREFIX + "<property>",
              "handed to every Kafka client as it is"));

  /** The sources of each pipeline, by the names that policies know. */
  private static final SortedMap<String, Set<String>> PIPELINES =
      new TreeMap<>(Map.of("subway", Set.of(SubwayPipeline.SOURCE)));

  /** Keeps its own copy of the client properties. */
  public JobOptions {
    kafkaClientProperties = new TreeMap<>(kafkaClientProperties);
  }

  /**
   * Reads the options of the bundled job out of a Flink configuration.
   *
   * @param configuration all of it, other options included
   * @param checkpointTimeout how long Flink lets a checkpoint take
   * @param problems each unknown, missing or invalid option is added here, and each policy for a
   *     source that the pipeline does not have
   * @return null when a required option is missing or wrong, which {@code problems} then says
   */
  static @Nullable JobOptions read(
      Map<String, String> configuration, Duration checkpointTimeout, List<Problem> problems) {
    Reader reader = new Reader(configuration, problems);
    reader.refuseUnknown();
    String pipeline = reader.pipeline();
    reader.refuseOtherSources(pipeline);
    String bootstrapServers = reader.required(BOOTSTRAP_SERVERS);
    String inputTopic = reader.topic(INPUT_TOPIC, true);
    String resultsTopic = reader.topic(RESULTS_TOPIC, true);
    String deadLetterTopic = reader.topic(DEAD_LETTER_TOPIC, false);
    Duration timeout = reader.transactionTimeout(checkpointTimeout);
    boolean watermarkRestore = reader.bool(WATERMARK_RESTORE, true);
    if (pipeline == null
        || bootstrapServers == null
        || inputTopic == null
        || resultsTopic == null) {
      return null;
    }
    return new JobOptions(
        pipeline,
        bootstrapServers,
        inputTopic,
        resultsTopic,
        deadLetterTopic,
        configuration.getOrDefault(GROUP_ID, "tidekeeper-" + pipeline),
        configuration.getOrDefault(
            TRANSACTIONAL_ID_PREFIX, transactionalIdPrefix(configuration, resultsTopic)),
        timeout,
        watermarkRestore,
        reader.clientProperties());
  }

  /** Deployments of one name in two namespaces may share a Kafka cluster, so both are in it. */
  private static String transactionalIdPrefix(
      Map<String, String> configuration, String resultsTopic) {
    String deployment = configuration.get(CLUSTER_ID);
    return deployment == null
        ? "tidekeeper-" + resultsTopic
        : configuration.getOrDefault(NAMESPACE, "default") + "-" + deployment;
  }

  private record Reader(Map<String, String> options, List<Problem> problems) {

    void refuseUnknown() {
      for (Map.Entry<String, String> option : new TreeMap<>(options).entrySet()) {
        String key = option.getKey();
        if (key.startsWith(PREFIX)
            && !PolicyOptions.owns(key)
            && !key.startsWith(CLIENT_PREFIX)
            && !LiveOptions.HELP.containsKey(key)
            && !HELP.containsKey(key)) {
          problems.add(new Problem(key, option.getValue(), "unknown option; known are " + known()));
        }
      }
    }

    private static String known() {
      List<String> names = new ArrayList<>(HELP.keySet());
      names.addAll(new TreeSet<>(LiveOptions.HELP.keySet()));
      names.add("tidekeeper.revision");
      names.add("tidekeeper.default.*");
      names.add("tidekeeper.source.<name>.*");
      return String.join(", ", names);
    }

    @Nullable String required(String key) {
      String value = options.get(key);
      if (value == null || value.isBlank()) {
        problems.add(new Problem(key, value == null ? "" : value, "required: " + HELP.get(key)));
        return null;
      }
      return value;
    }

    @Nullable String pipeline() {
      String pipeline = required(PIPELINE);
      if (pipeline != null && !PIPELINES.containsKey(pipeline)) {
        problems.add(
            new Problem(
                PIPELINE, pipeline, "must be one of: " + String.join(", ", PIPELINES.keySet())));
        return null;
      }
      return pipeline;
    }

    /** Of a pipeline that is not known, any bundled pipeline's sources are accepted. */
    void refuseOtherSources(@Nullable String pipeline) {
      Set<String> sources = new TreeSet<>();
      PIPELINES.forEach(
          (name, names) -> {
            if (pipeline == null || pipeline.equals(name)) {
              sources.addAll(names);
            }
          });
      for (String source : PolicyOptions.sourceNames(options)) {
        if (!sources.contains(source)) {
          problems.add(
              new Problem(
                  PolicyOptions.SOURCE_PREFIX + source,
                  source,
                  "names a source that this job does not have; its sources are "
                      + String.join(", ", sources)));
        }
      }
    }

    /** The broker drops results whose checkpoint takes longer than their transaction may. */
    Duration transactionTimeout(Duration checkpointTimeout) {
      Duration timeout = duration(TRANSACTION_TIMEOUT, DEFAULT_TRANSACTION_TIMEOUT);
      if (timeout.compareTo(checkpointTimeout) <= 0) {
        problems.add(
            new Problem(
                TRANSACTION_TIMEOUT,
                Durations.format(timeout),
                "must be longer than %s (%ss), else the broker drops results whose checkpoint takes long"
                    .formatted(
                        CheckpointingOptions.CHECKPOINTING_TIMEOUT.key(),
                        checkpointTimeout.toSeconds())));
      }
      return timeout;
    }

    @Nullable String topic(String key, boolean required) {
      String value = required ? required(key) : options.get(key);
      if (value == null || (!required && value.equals(PolicyOptions.NONE))) {
        return null;
      }
      if (!PolicyOptions.isTopicName(value)) {
        problems.add(
            new Problem(
                key,
                value,
                "must be a Kafka topic name: 1 to 249 of the characters a-z A-Z 0-9 . _ - (not '.',"
                    + " '..' or 'none')"));
        return null;
      }
      return value;
    }

    Duration duration(String key, Duration defaultValue) {
      String value = options.get(key);
      if (value == null) {
        return defaultValue;
      }
      try {
        Duration duration = Durations.parse(value);
        if (!duration.isZero()) {
          return duration;
        }
        problems.add(new Problem(key, value, "must be longer than 0s"));
      } catch (IllegalArgumentException e) {
        problems.add(new Problem(key, value, String.valueOf(e.getMessage())));
      }
      return defaultValue;
    }

    boolean bool(String key, boolean defaultValue) {
      String value = options.getOrDefault(key, String.valueOf(defaultValue));
      if (!value.equals("true") && !value.equals("false")) {
        problems.add(new Problem(key, value, "must be true or false"));
      }
      return value.equals("true");
    }

    SortedMap<String, String> clientProperties() {
      SortedMap<String, String> properties = new TreeMap<>();
      options.forEach(
          (key, value) -> {
            if (key.startsWith(CLIENT_PREFIX)) {
              properties.put(key.substring(CLIENT_PREFIX.length()), value);
            }
          });
      return properties;
    }
  }
}
