package io.tidekeeper.sandbox.stage;

import io.tidekeeper.sandbox.account.Topics;
import io.tidekeeper.sandbox.flink.FlinkCluster;
import io.tidekeeper.sandbox.flink.JobRef;
import io.tidekeeper.sandbox.kafka.KafkaBroker;
import io.tidekeeper.sandbox.subway.SubwayJobs;
import java.nio.file.Path;

/**
 * A Kafka broker with the topics of the subway, and a Flink cluster.
 *
 * @param broker the broker
 * @param flink the cluster, with room for three jobs of parallelism 2
 * @param jobs the subway's jobs, for this broker
 * @param topics a consumer's view of the topics
 */
public record StreamStage(KafkaBroker broker, FlinkCluster flink, SubwayJobs jobs, Topics topics) {

  private static final int SLOTS = 6;

  /**
   * Starts both.
   *
   * @param closing closes them
   * @param dir where their files go
   * @param jobJar what the jobs are started from
   * @param partitions of the input topic, at least 1
   */
  public static StreamStage start(Closing closing, Path dir, Path jobJar, int partitions) {
    KafkaBroker broker = closing.add(KafkaBroker.start(dir.resolve("kafka")));
    FlinkCluster flink =
        closing.add(FlinkCluster.in(dir.resolve("flink")).taskManagers(1, SLOTS).start());
    // Tasks that lose their cluster complain.
    AutoCloseable unused = closing.add(() -> flink.jobs().forEach(JobRef::cancel));
    SubwayJobs.createTopics(broker, partitions);
    return new StreamStage(
        broker,
        flink,
        new SubwayJobs(jobJar, broker.bootstrapServers()),
        new Topics(broker.bootstrapServers()));
  }

  /** Where everything can be reached. */
  public String addresses() {
    return "Kafka at %s, Flink at %s, metrics at %s"
        .formatted(broker.bootstrapServers(), flink.restUri(), flink.prometheusUri());
  }
}
