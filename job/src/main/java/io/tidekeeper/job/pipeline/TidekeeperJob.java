package io.tidekeeper.job.pipeline;

import io.tidekeeper.job.Tidekeeper;
import io.tidekeeper.job.live.LiveOptions;
import io.tidekeeper.policy.InvalidPolicyException;
import io.tidekeeper.policy.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The bundled job: runs the pipeline that {@code tidekeeper.pipeline} names under its policy. */
public final class TidekeeperJob {

  private static final Logger LOG = LoggerFactory.getLogger(TidekeeperJob.class);

  /** Results appear with checkpoints, so there must be some. */
  static final Duration DEFAULT_CHECKPOINT_INTERVAL = Duration.ofSeconds(10);

  private TidekeeperJob() {}

  /**
   * Starts the job, or with {@code --help} prints its options.
   *
   * @throws InvalidPolicyException listing every unknown, missing or invalid option at once
   */
  public static void main(String[] args) throws Exception {
    if (Arrays.asList(args).contains("--help")) {
      System.out.println(help());
      return;
    }
    if (args.length > 0) {
      throw new IllegalArgumentException(
          "unknown arguments %s; options are read from the Flink configuration (--help lists them)"
              .formatted(Arrays.toString(args)));
    }
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    JobOptions options = define(env);
    KafkaCheck.warnAboutProblems(options, env.getParallelism());
    env.execute(name(env.getConfiguration().toMap(), options));
  }

  /** Adds the configured pipeline to {@code env}; the job is not started. */
  static JobOptions define(StreamExecutionEnvironment env) {
    List<Problem> problems = new ArrayList<>();
    JobOptions options =
        JobOptions.read(
            env.getConfiguration().toMap(),
            env.getConfiguration().get(CheckpointingOptions.CHECKPOINTING_TIMEOUT),
            problems);
    Tidekeeper tidekeeper = readPolicy(env, problems);
    if (!problems.isEmpty() || options == null || tidekeeper == null) {
      throw new InvalidPolicyException(problems);
    }
    if (!options.watermarkRestore()) {
      LOG.warn(
          "{} is false: after a savepoint, late records reopen windows that have fired, and results"
              + " come twice. For comparisons only.",
          JobOptions.WATERMARK_RESTORE);
    }
    if (!env.getCheckpointConfig().isCheckpointingEnabled()) {
      env.enableCheckpointing(DEFAULT_CHECKPOINT_INTERVAL.toMillis());
      LOG.info(
          "Checkpoints every {} s, since execution.checkpointing.interval is not set",
          DEFAULT_CHECKPOINT_INTERVAL.toSeconds());
    }
    if (env.getConfiguration().getOptional(PipelineOptions.OBJECT_REUSE).isEmpty()) {
      // No operator of the bundled pipelines keeps or changes a record it has passed on, and a copy
      // between each two of a chain would cost a third of the throughput.
      env.getConfig().enableObjectReuse();
    }
    SubwayPipeline.define(tidekeeper, options);
    return options;
  }

  /**
   * What metrics and alerts call the job: {@code pipeline.name}, else the name of its deployment.
   * Two deployments of one pipeline must not share a name.
   */
  static String name(Map<String, String> configuration, JobOptions options) {
    return configuration.getOrDefault(
        PipelineOptions.NAME.key(),
        configuration.getOrDefault(JobOptions.CLUSTER_ID, "tidekeeper-" + options.pipeline()));
  }

  private static @Nullable Tidekeeper readPolicy(
      StreamExecutionEnvironment env, List<Problem> problems) {
    try {
      return Tidekeeper.from(env);
    } catch (InvalidPolicyException e) {
      problems.addAll(e.problems());
      return null;
    }
  }

  static String help() {
    StringBuilder text = new StringBuilder("Options, in the Flink configuration:\n");
    SortedMap<String, String> options = new TreeMap<>(JobOptions.HELP);
    options.putAll(LiveOptions.HELP);
    options.forEach(
        (key, meaning) ->
            text.append("  ").append(key).append("\n      ").append(meaning).append('\n'));
    return text.toString();
  }
}
