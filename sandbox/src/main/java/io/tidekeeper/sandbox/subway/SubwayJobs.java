package io.tidekeeper.sandbox.subway;

import io.tidekeeper.sandbox.flink.JobSpec;
import io.tidekeeper.sandbox.kafka.KafkaBroker;
import io.tidekeeper.sandbox.plain.PlainSubwayJob;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The bundled subway job on the topics of a run, and the same job on Flink alone.
 *
 * @param jar the job jar, as it would be deployed
 * @param bootstrapServers the broker
 */
public record SubwayJobs(Path jar, String bootstrapServers) {

  /** What the traffic is written to. */
  public static final String INPUT = "subway-events";

  /** Counts per station and window. */
  public static final String RESULTS = "subway-counts";

  /** Records whose windows had fired. */
  public static final String LATE = "subway-late";

  /** Malformed records and those from the future. */
  public static final String DEAD_LETTERS = "subway-dead-letters";

  /** Counts of the job on Flink alone. */
  public static final String PLAIN_RESULTS = "plain-counts";

  private static final String MAIN_CLASS = "io.tidekeeper.job.pipeline.TidekeeperJob";
  private static final String CHECKPOINT_INTERVAL = "1s";

  /** Creates the topics of a run. */
  public static void createTopics(KafkaBroker broker, int inputPartitions) {
    broker.createTopic(INPUT, inputPartitions);
    broker.createTopic(RESULTS, 2);
    broker.createTopic(LATE, 1);
    broker.createTopic(DEAD_LETTERS, 1);
    broker.createTopic(PLAIN_RESULTS, 2);
  }

  /**
   * The job jar that the build has made.
   *
   * @throws IllegalStateException when there is none under the working directory
   */
  public static Path builtJar() {
    Path target = Path.of("job", "target");
    if (Files.isDirectory(target)) {
      try (DirectoryStream<Path> jars =
          Files.newDirectoryStream(target, "tidekeeper-job-*-all.jar")) {
        for (Path jar : jars) {
          return jar;
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    throw new IllegalStateException("there is no job jar in " + target + "; run `make build`");
  }

  /**
   * The bundled job.
   *
   * @param policy its {@code tidekeeper.*} policy options, and whatever else it needs
   * @param parallelism at least 1
   */
  public JobSpec bundled(Map<String, String> policy, int parallelism) {
    Map<String, String> options = new TreeMap<>(kafka());
    options.put("tidekeeper.pipeline", "subway");
    options.put("tidekeeper.kafka.results-topic", RESULTS);
    options.put("tidekeeper.kafka.dead-letter-topic", DEAD_LETTERS);
    options.put("tidekeeper.default.late.topic", LATE);
    options.put("execution.checkpointing.interval", CHECKPOINT_INTERVAL);
    options.putAll(policy);
    return new JobSpec(jar, MAIN_CLASS, List.of(), options, parallelism, false);
  }

  /**
   * The same on Flink alone; it starts from savepoints of the bundled job.
   *
   * @param maxOutOfOrderness such as {@code 30s}
   */
  public JobSpec plain(String maxOutOfOrderness, int parallelism) {
    Map<String, String> options = new TreeMap<>(kafka());
    options.put("execution.checkpointing.interval", CHECKPOINT_INTERVAL);
    options.put("pipeline.auto-watermark-interval", "100ms");
    options.put(PlainSubwayJob.MAX_OUT_OF_ORDERNESS.key(), maxOutOfOrderness);
    options.put(PlainSubwayJob.MAX_FUTURE_SKEW.key(), "5m");
    options.put(PlainSubwayJob.RESULTS_TOPIC.key(), PLAIN_RESULTS);
    return JobSpec.ofClass(PlainSubwayJob.class, options, parallelism).allowingNonRestoredState();
  }

  private Map<String, String> kafka() {
    return Map.of(
        "tidekeeper.kafka.bootstrap-servers",
        bootstrapServers,
        "tidekeeper.kafka.input-topic",
        INPUT);
  }
}
