package io.tidekeeper.sandbox.soak;

import static io.tidekeeper.sandbox.subway.SubwayJobs.DEAD_LETTERS;
import static io.tidekeeper.sandbox.subway.SubwayJobs.INPUT;
import static io.tidekeeper.sandbox.subway.SubwayJobs.LATE;
import static io.tidekeeper.sandbox.subway.SubwayJobs.RESULTS;

import io.tidekeeper.policy.PolicyOptions;
import io.tidekeeper.sandbox.Patience;
import io.tidekeeper.sandbox.account.Account;
import io.tidekeeper.sandbox.account.Claim;
import io.tidekeeper.sandbox.account.Report;
import io.tidekeeper.sandbox.account.Settlement;
import io.tidekeeper.sandbox.account.Topics;
import io.tidekeeper.sandbox.flink.FlinkCluster;
import io.tidekeeper.sandbox.flink.JobRef;
import io.tidekeeper.sandbox.flink.JobSpec;
import io.tidekeeper.sandbox.kafka.KafkaBroker;
import io.tidekeeper.sandbox.run.Narrator;
import io.tidekeeper.sandbox.subway.LastWindow;
import io.tidekeeper.sandbox.subway.PolicyFileOnDisk;
import io.tidekeeper.sandbox.subway.SubwayJobs;
import io.tidekeeper.sandbox.traffic.Behaviour;
import io.tidekeeper.sandbox.traffic.Disorder;
import io.tidekeeper.sandbox.traffic.Traffic;
import io.tidekeeper.sandbox.traffic.TrafficPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A row of changes on one stream, and its account. */
final class SoakRun {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int PARTITIONS = 6;
  private static final int SILENT_PARTITION = 5;
  private static final int SLOW_PARTITION = 4;
  private static final Duration SLOW_LAG = Duration.ofMinutes(5);
  private static final String REVISION = "flink_taskmanager_job_task_operator_tidekeeper_revision";
  private static final int MAX_PARALLELISM = 4;

  private final Narrator narrator;
  private final Path dir;
  private final Path jobJar;
  private final int changes;
  private final int rate;
  private final long seed;

  SoakRun(Narrator narrator, Path dir, Path jobJar, int changes, int rate, long seed) {
    this.narrator = narrator;
    this.dir = dir;
    this.jobJar = jobJar;
    this.changes = changes;
    this.rate = rate;
    this.seed = seed;
  }

  List<Claim> run() {
    try (KafkaBroker broker = KafkaBroker.start(dir.resolve("kafka"));
        FlinkCluster flink =
            FlinkCluster.in(dir.resolve("flink")).taskManagers(1, MAX_PARALLELISM).start()) {
      SubwayJobs.createTopics(broker, PARTITIONS);
      SubwayJobs jobs = new SubwayJobs(jobJar, broker.bootstrapServers());
      Topics topics = new Topics(broker.bootstrapServers());
      Disorder disorder = new Disorder(Duration.ofSeconds(4), Duration.ofSeconds(30), 0.1);
      TrafficPlan plan =
          TrafficPlan.steady(
              seed,
              PARTITIONS,
              rate,
              Duration.ofHours(2),
              disorder,
              Map.of(
                  SILENT_PARTITION,
                  Behaviour.silent(),
                  SLOW_PARTITION,
                  Behaviour.behind(disorder, SLOW_LAG)));
      narrator.say(
          "%d changes under %,d records/s on %d partitions, one silent and one ever further behind; seed %d"
              .formatted(changes, rate, PARTITIONS, seed));
      try (Traffic traffic = Traffic.start(broker.bootstrapServers(), INPUT, plan)) {
        return change(flink, jobs, topics, traffic);
      }
    }
  }

  private List<Claim> change(FlinkCluster flink, SubwayJobs jobs, Topics topics, Traffic traffic) {
    RandomGenerator random = new SplittableRandom(seed);
    PolicyFileOnDisk file = new PolicyFileOnDisk(dir.toAbsolutePath().resolve("policy"));
    Map<Kind, Integer> done = new EnumMap<>(Kind.class);
    int parallelism = 2;
    int taskManager = 0;
    RandomPolicy policy = RandomPolicy.draw(random, 1);
    JobSpec spec = spec(jobs, policy, file, parallelism);
    JobRef job = flink.submit(spec, null);
    job.awaitRunning();
    long started = System.nanoTime();
    for (int change = 1; change <= changes; change++) {
      awaitProgress(topics, job, change);
      Kind kind = Kind.of(change, random);
      done.merge(kind, 1, Integer::sum);
      int revision = change + 1;
      switch (kind) {
        case WITHOUT_RESTART -> {
          policy = RandomPolicy.drawLive(random, policy.options());
          file.write(revision, owned(spec(jobs, policy, file, parallelism)));
          awaitRevision(flink, job, parallelism, revision);
        }
        case KILLED -> {
          flink.killTaskManager(taskManager++);
          flink.startTaskManager();
          job.awaitRunning(PATIENCE);
        }
        default -> {
          parallelism = kind == Kind.RESCALED ? another(random, parallelism) : parallelism;
          policy = RandomPolicy.draw(random, revision);
          spec = spec(jobs, policy, file, parallelism);
          job = flink.submit(spec, job.stopWithSavepoint(false));
          job.awaitRunning();
          awaitRevision(flink, job, parallelism, revision);
        }
      }
      narrator.say(
          "%3d/%d  %-15s parallelism %d  %-28s %,9d sent  %,7d late  %,6d windows"
              .formatted(
                  change,
                  changes,
                  kind.text,
                  parallelism,
                  policy.summary(),
                  traffic.progress().acknowledged(),
                  topics.routed(LATE).size(),
                  topics.results(RESULTS).size()));
    }
    awaitProgress(topics, job, changes);
    traffic.stop();
    finish(flink, jobs, traffic, job.stopWithSavepoint(false), parallelism)
        .stopWithSavepoint(false);
    double seconds = (System.nanoTime() - started) / 1e9;
    return settle(topics, traffic, done, seconds);
  }

  private static JobSpec spec(
      SubwayJobs jobs, RandomPolicy policy, PolicyFileOnDisk file, int parallelism) {
    Map<String, String> options = new TreeMap<>(policy.options());
    options.putAll(file.options());
    options.put("restart-strategy.type", "fixed-delay");
    options.put("restart-strategy.fixed-delay.attempts", "1000");
    options.put("restart-strategy.fixed-delay.delay", "100ms");
    return jobs.bundled(options, parallelism);
  }

  /** The options of a policy among those of a job. */
  private static Map<String, String> owned(JobSpec spec) {
    Map<String, String> options = new TreeMap<>(spec.configuration());
    options.keySet().removeIf(option -> !PolicyOptions.owns(option));
    return options;
  }

  private static void awaitRevision(FlinkCluster flink, JobRef job, int parallelism, int revision) {
    List<Double> seen = new ArrayList<>();
    Patience.until(
        "every reader on revision " + revision,
        PATIENCE,
        () -> {
          seen.clear();
          flink.samples().stream()
              .filter(sample -> sample.name().equals(REVISION))
              .filter(sample -> job.jobId().toString().equals(sample.labels().get("job_id")))
              .forEach(sample -> seen.add(sample.value()));
          return seen.size() == parallelism && seen.stream().allMatch(value -> value == revision);
        },
        () -> seen + ", " + job.describe());
  }

  /** How a change reaches the job. */
  private enum Kind {
    UPGRADED("upgrade"),
    RESCALED("rescale"),
    WITHOUT_RESTART("without restart"),
    KILLED("kill");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /** Each of them, and in an order that is not always the same. */
    static Kind of(int change, RandomGenerator random) {
      if (change % 10 == 0) {
        return KILLED;
      }
      if (change % 3 == 2) {
        return RESCALED;
      }
      return random.nextBoolean() ? WITHOUT_RESTART : UPGRADED;
    }
  }

  /** A few committed checkpoints, so that windows fire and results leave under these settings. */
  private static void awaitProgress(Topics topics, JobRef job, int change) {
    int before = topics.results(RESULTS).size();
    Patience.until(
        "results after change " + change,
        PATIENCE,
        () -> job.completedCheckpoints() >= 2 && topics.results(RESULTS).size() > before,
        job::describe);
  }

  /** Ends event time under settings that close every window of the traffic. */
  private static JobRef finish(
      FlinkCluster flink,
      SubwayJobs jobs,
      Traffic traffic,
      @Nullable String savepoint,
      int parallelism) {
    traffic.sendClosing();
    JobRef job =
        flink.submit(
            jobs.bundled(
                Map.of(
                    "tidekeeper.default.watermark.type",
                    "Monotonous",
                    "tidekeeper.default.watermark.max-future-skew",
                    "5m",
                    "tidekeeper.default.watermark.idle-timeout",
                    "3s"),
                parallelism),
            savepoint);
    job.awaitRunning();
    LastWindow.await(job, traffic);
    return job;
  }

  private List<Claim> settle(
      Topics topics, Traffic traffic, Map<Kind, Integer> done, double seconds) {
    Settlement settlement =
        Account.settle(
            traffic.truth(),
            topics.results(RESULTS),
            topics.routed(LATE),
            topics.routed(DEAD_LETTERS));
    Report.write(dir, settlement, Map.of());
    long produced = settlement.counters().getOrDefault("produced", 0L);
    long late = settlement.counters().getOrDefault("late", 0L);
    List<Claim> claims = new ArrayList<>(settlement.claims());
    claims.add(
        claim(
            "enough late records",
            late * 100 >= produced,
            "%.1f %% of the records were late (at least 1 %%)".formatted(100.0 * late / produced)));
    claims.add(
        claim(
            "enough load",
            produced / seconds >= 1_000 || rate < 1_000,
            "%,.0f records/s over %.0f s".formatted(produced / seconds, seconds)));
    claims.add(
        claim(
            "every kind of change",
            done.size() == Kind.values().length || changes < 20,
            "changes by kind: "
                + done.entrySet().stream()
                    .map(kind -> kind.getKey().text + " " + kind.getValue())
                    .collect(Collectors.joining(", "))));
    return claims;
  }

  private static Claim claim(String name, boolean holds, String text) {
    return new Claim(name, holds, text, List.of());
  }

  private static int another(RandomGenerator random, int parallelism) {
    int other = 1 + random.nextInt(MAX_PARALLELISM - 1);
    return other < parallelism ? other : other + 1;
  }
}
