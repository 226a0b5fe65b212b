package io.tidekeeper.bench.job;

import io.tidekeeper.sandbox.flink.FlinkCluster;
import io.tidekeeper.sandbox.flink.JobSpec;
import io.tidekeeper.sandbox.kafka.KafkaBroker;
import io.tidekeeper.sandbox.run.Narrator;
import io.tidekeeper.sandbox.run.RunFolder;
import io.tidekeeper.sandbox.run.RunProgram;
import io.tidekeeper.sandbox.subway.SubwayJobs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code make bench-job}. */
@Command(
    name = "bench-job",
    mixinStandardHelpOptions = true,
    description =
        "Reads the same backlog with the subway job and with the same job on plain Flink, in turn,"
            + " and prints the ratio of their throughputs pair by pair.")
public final class JobBenchmark implements Callable<Integer> {

  private static final int PARALLELISM = 2;

  @Option(
      names = "--dir",
      defaultValue = "target/bench",
      description = "Working folder; replaced. Default: ${DEFAULT-VALUE}")
  private Path dir = Path.of("target/bench");

  @Option(
      names = "--partitions",
      split = ",",
      defaultValue = "10,1000",
      description = "Partitions of the input, one run each. Default: ${DEFAULT-VALUE}")
  private List<Integer> partitions = List.of();

  @Option(
      names = "--records",
      defaultValue = "10000000",
      description = "Records of the backlog. Default: ${DEFAULT-VALUE}")
  private long records;

  @Option(
      names = "--pairs",
      defaultValue = "5",
      description = "Pairs of runs that count; one more comes before. Default: ${DEFAULT-VALUE}")
  private int pairs;

  /** Runs the benchmark. */
  public static void main(String[] args) {
    System.exit(RunProgram.execute(new JobBenchmark(), args));
  }

  @Override
  public Integer call() throws Exception {
    RunFolder.renew(dir);
    Narrator narrator = new Narrator(System.out);
    for (int count : partitions) {
      compare(narrator, count);
    }
    return 0;
  }

  private void compare(Narrator narrator, int count) throws Exception {
    Path folder = dir.resolve(count + "-partitions");
    try (KafkaBroker broker = KafkaBroker.start(folder.resolve("kafka"));
        FlinkCluster flink = cluster(folder.resolve("flink"))) {
      narrator.say("%,d partitions: writing %,d records".formatted(count, records));
      new Backlog(SubwayJobs.INPUT, count, records).write(broker);
      broker.createTopic(SubwayJobs.RESULTS, 2);
      broker.createTopic(SubwayJobs.LATE, 1);
      broker.createTopic(SubwayJobs.DEAD_LETTERS, 1);
      broker.createTopic(SubwayJobs.PLAIN_RESULTS, 2);
      SubwayJobs jobs = new SubwayJobs(SubwayJobs.builtJar(), broker.bootstrapServers());
      JobSpec ours = alike(jobs.bundled(POLICY, PARALLELISM));
      JobSpec plain = alike(jobs.plain("5s", PARALLELISM));
      Throughput throughput = new Throughput(flink, records);
      List<Double> ratios = new ArrayList<>();
      for (int pair = 0; pair <= pairs; pair++) {
        // Who goes first changes, so that a drifting machine favours nobody.
        boolean oursFirst = pair % 2 == 0;
        double first = fromTheStart(broker, throughput, oursFirst ? ours : plain);
        double second = fromTheStart(broker, throughput, oursFirst ? plain : ours);
        double our = oursFirst ? first : second;
        double their = oursFirst ? second : first;
        narrator.say(
            "  %s: tidekeeper %,.0f records/s, plain Flink %,.0f, ratio %.3f"
                .formatted(pair == 0 ? "warm-up" : "pair " + pair, our, their, our / their));
        if (pair > 0) {
          ratios.add(our / their);
        }
      }
      List<Double> sorted = ratios.stream().sorted().toList();
      narrator.say(
          "%,d partitions: ratio min %.3f, median %.3f, max %.3f"
              .formatted(
                  count,
                  sorted.get(0),
                  sorted.get(sorted.size() / 2),
                  sorted.get(sorted.size() - 1)));
    }
  }

  private static final Map<String, String> POLICY =
      Map.of(
          "tidekeeper.default.watermark.type",
          "Bounded",
          "tidekeeper.default.watermark.bounded.max-out-of-orderness",
          "5s",
          "tidekeeper.default.watermark.max-future-skew",
          "5m",
          "tidekeeper.default.watermark.emit.interval",
          "100ms");

  private static FlinkCluster cluster(Path folder) {
    FlinkCluster.Builder builder = FlinkCluster.in(folder).taskManagers(1, PARALLELISM);
    SourceRecords.options().forEach(builder::setting);
    return builder.start();
  }

  /**
   * Both from the class path, since a class loader of its own for each run would have the job's
   * code compiled anew; and with checkpoints as often as jobs have them when nobody says.
   */
  private static JobSpec alike(JobSpec job) {
    Map<String, String> options = new TreeMap<>(job.configuration());
    options.put("execution.checkpointing.interval", "10s");
    return new JobSpec(
        null, job.mainClass(), job.args(), options, PARALLELISM, job.allowNonRestoredState());
  }

  private static double fromTheStart(KafkaBroker broker, Throughput throughput, JobSpec job)
      throws InterruptedException, ExecutionException {
    double rate = throughput.of(job);
    forgetPositions(broker.admin());
    return rate;
  }

  /** Both jobs go on from the offsets that their group has committed. */
  private static void forgetPositions(Admin admin) throws InterruptedException, ExecutionException {
    for (String group : List.of("tidekeeper-subway", "plain-" + SubwayJobs.INPUT)) {
      try {
        admin.deleteConsumerGroups(List.of(group)).all().get();
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof GroupIdNotFoundException)) {
          throw e;
        }
      }
    }
  }
}
