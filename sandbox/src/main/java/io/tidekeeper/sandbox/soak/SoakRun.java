package io.tidekeeper.sandbox.soak;

import static io.tidekeeper.sandbox.subway.SubwayJobs.DEAD_LETTERS;
import static io.tidekeeper.sandbox.subway.SubwayJobs.INPUT;
import static io.tidekeeper.sandbox.subway.SubwayJobs.LATE;
import static io.tidekeeper.sandbox.subway.SubwayJobs.RESULTS;

import io.tidekeeper.sandbox.Patience;
import io.tidekeeper.sandbox.account.Account;
import io.tidekeeper.sandbox.account.Claim;
import io.tidekeeper.sandbox.account.Report;
import io.tidekeeper.sandbox.account.Settlement;
import io.tidekeeper.sandbox.account.Topics;
import io.tidekeeper.sandbox.flink.FlinkCluster;
import io.tidekeeper.sandbox.flink.JobRef;
import io.tidekeeper.sandbox.kafka.KafkaBroker;
import io.tidekeeper.sandbox.run.Narrator;
import io.tidekeeper.sandbox.subway.LastWindow;
import io.tidekeeper.sandbox.subway.SubwayJobs;
import io.tidekeeper.sandbox.traffic.Disorder;
import io.tidekeeper.sandbox.traffic.Traffic;
import io.tidekeeper.sandbox.traffic.TrafficPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A row of changes on one stream, and its account. */
final class SoakRun {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int PARTITIONS = 6;
  private static final int SILENT_PARTITION = 5;
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
              seed, PARTITIONS, rate, Duration.ofHours(2), disorder, Set.of(SILENT_PARTITION));
      narrator.say(
          "%d changes under %,d records/s on %d partitions, one of them silent; seed %d"
              .formatted(changes, rate, PARTITIONS, seed));
      try (Traffic traffic = Traffic.start(broker.bootstrapServers(), INPUT, plan)) {
        return change(flink, jobs, topics, traffic);
      }
    }
  }

  private List<Claim> change(FlinkCluster flink, SubwayJobs jobs, Topics topics, Traffic traffic) {
    RandomGenerator random = new SplittableRandom(seed);
    String savepoint = null;
    int parallelism = 2;
    int rescales = 0;
    long started = System.nanoTime();
    for (int change = 0; change <= changes; change++) {
      int next = change % 3 == 2 ? another(random, parallelism) : parallelism;
      rescales += next == parallelism ? 0 : 1;
      parallelism = next;
      RandomPolicy policy = RandomPolicy.draw(random, change + 1);
      JobRef job = flink.submit(jobs.bundled(policy.options(), parallelism), savepoint);
      job.awaitRunning();
      awaitProgress(topics, job, change);
      boolean last = change == changes;
      if (last) {
        traffic.stop();
        savepoint = job.stopWithSavepoint(false);
        job = finish(flink, jobs, traffic, savepoint, parallelism);
      }
      savepoint = job.stopWithSavepoint(false);
      narrator.say(
          "%2d/%d  parallelism %d  %-32s %,9d sent  %,7d late  %,6d windows"
              .formatted(
                  change,
                  changes,
                  parallelism,
                  policy.summary(),
                  traffic.progress().acknowledged(),
                  topics.routed(LATE).size(),
                  topics.results(RESULTS).size()));
    }
    double seconds = (System.nanoTime() - started) / 1e9;
    return settle(topics, traffic, rescales, seconds);
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

  private List<Claim> settle(Topics topics, Traffic traffic, int rescales, double seconds) {
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
            "enough rescales",
            rescales * 5 >= changes,
            "%d of %d changes rescaled the job".formatted(rescales, changes)));
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
