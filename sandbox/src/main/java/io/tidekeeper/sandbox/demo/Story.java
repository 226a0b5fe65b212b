package io.tidekeeper.sandbox.demo;

import static io.tidekeeper.sandbox.subway.SubwayJobs.DEAD_LETTERS;
import static io.tidekeeper.sandbox.subway.SubwayJobs.INPUT;
import static io.tidekeeper.sandbox.subway.SubwayJobs.LATE;
import static io.tidekeeper.sandbox.subway.SubwayJobs.PLAIN_RESULTS;
import static io.tidekeeper.sandbox.subway.SubwayJobs.RESULTS;

import io.tidekeeper.sandbox.Patience;
import io.tidekeeper.sandbox.account.Account;
import io.tidekeeper.sandbox.account.Claim;
import io.tidekeeper.sandbox.account.Report;
import io.tidekeeper.sandbox.account.ResultRecord;
import io.tidekeeper.sandbox.account.Segment;
import io.tidekeeper.sandbox.account.Settlement;
import io.tidekeeper.sandbox.account.Topics;
import io.tidekeeper.sandbox.flink.FlinkCluster;
import io.tidekeeper.sandbox.flink.JobRef;
import io.tidekeeper.sandbox.flink.Metric;
import io.tidekeeper.sandbox.kafka.KafkaBroker;
import io.tidekeeper.sandbox.run.Narrator;
import io.tidekeeper.sandbox.subway.LastWindow;
import io.tidekeeper.sandbox.subway.SubwayJobs;
import io.tidekeeper.sandbox.traffic.Progress;
import io.tidekeeper.sandbox.traffic.Sent;
import io.tidekeeper.sandbox.traffic.Traffic;
import io.tidekeeper.sandbox.traffic.TrafficPlan;
import io.tidekeeper.sandbox.traffic.Truth;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The demo, act by act. */
final class Story {

  /** Long enough for a noisy machine; a stalled job would be silent for the rest of the phase. */
  private static final Duration STALL_LIMIT = Duration.ofSeconds(12);

  private static final int PARALLELISM = 2;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long LATE_TO_SEE = 500;
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneId.of("Asia/Shanghai"));

  private final Narrator narrator;
  private final Path dir;
  private final SubwayJobs jobs;
  private final Sabotage sabotage;
  private final FlinkCluster flink;
  private final Topics topics;
  private final Traffic traffic;

  Story(
      Narrator narrator,
      Path dir,
      SubwayJobs jobs,
      Sabotage sabotage,
      FlinkCluster flink,
      Topics topics,
      Traffic traffic) {
    this.narrator = narrator;
    this.dir = dir;
    this.jobs = jobs;
    this.sabotage = sabotage;
    this.flink = flink;
    this.topics = topics;
    this.traffic = traffic;
  }

  /** Runs the demo and returns every claim it makes, true or not. */
  static List<Claim> tell(Narrator narrator, Path dir, Path jobJar, long seed, Sabotage sabotage) {
    narrator.say("Starting a Kafka broker and a Flink cluster on 127.0.0.1");
    try (KafkaBroker broker = KafkaBroker.start(dir.resolve("kafka"));
        FlinkCluster flink = FlinkCluster.in(dir.resolve("flink")).taskManagers(1, 6).start()) {
      TrafficPlan plan = TrafficPlan.rushHour(seed);
      SubwayJobs.createTopics(broker, plan.partitions());
      narrator.say(
          "Kafka at %s, Flink at %s, metrics at %s"
              .formatted(broker.bootstrapServers(), flink.restUri(), flink.prometheusUri()));
      SubwayJobs jobs = new SubwayJobs(jobJar, broker.bootstrapServers());
      JobRef first = flink.submit(jobs.bundled(DemoPolicies.fiveSeconds(), PARALLELISM), null);
      first.awaitRunning();
      narrator.say("The subway job runs with 5 s of out-of-orderness (revision 1)");
      try (Traffic traffic = Traffic.start(broker.bootstrapServers(), INPUT, plan)) {
        narrator.say(
            "Traffic: %,d records in %d s on %d partitions, event time %.0fx wall time, seed %d"
                .formatted(
                    plan.records(),
                    plan.wall().toSeconds(),
                    plan.partitions(),
                    plan.speed(),
                    seed));
        Topics topics = new Topics(broker.bootstrapServers());
        return new Story(narrator, dir, jobs, sabotage, flink, topics, traffic).run(first);
      }
    }
  }

  private List<Claim> run(JobRef first) {
    List<Claim> claims = new ArrayList<>();
    traffic.awaitPhase("rush");
    narrator.say("07:00, the rush hour begins: records come up to 25 s out of order");
    Patience.until(
        "%d late records".formatted(LATE_TO_SEE),
        PATIENCE,
        () -> routedLate() >= LATE_TO_SEE,
        () -> routedLate() + " late");
    report();

    narrator.say("Stopping with a savepoint, to go on with 30 s in the rush hour (revision 2)");
    long stopping = System.nanoTime();
    String savepoint = first.stopWithSavepoint(false);
    List<ResultRecord> before = topics.results(RESULTS);
    Map<Integer, Long> lateBefore = topics.endOffsets(LATE);
    JobRef second =
        flink.submit(
            jobs.bundled(
                DemoPolicies.rushHourSchedule(sabotage != Sabotage.no_watermark_restore),
                PARALLELISM),
            savepoint);
    second.awaitRunning();
    narrator.say(
        "Restored and running after %.1f s"
            .formatted(Duration.ofNanos(System.nanoTime() - stopping).toMillis() / 1e3));
    JobRef plain = flink.submit(jobs.plain("30s", PARALLELISM), savepoint);
    plain.awaitRunning();
    narrator.say("Beside it, the same job on plain Flink from the same savepoint, with 30 s");
    long restored = restoredWatermark(second);

    try (FlowWatch flow = new FlowWatch(topics, RESULTS, traffic)) {
      follow();
      claims.add(flowed(flow, "behind", "one partition a minute behind"));
      claims.add(flowed(flow, "idle", "one partition silent"));
    }
    traffic.sendClosing();
    narrator.say("Closing records sent; waiting for the last windows");
    LastWindow.await(second, traffic);
    second.stopWithSavepoint(false);
    plain.stopWithSavepoint(false);
    narrator.say("Both jobs stopped; now the account, by a consumer that knows nothing of them");

    Settlement settlement = settle(before, lateBefore);
    claims.addAll(0, settlement.claims());
    claims.add(lateSeen(settlement, lateBefore));
    claims.add(lateStopped(settlement, lateBefore, restored));
    claims.add(plainDoubles(before));
    return claims;
  }

  /** Says every few seconds where things stand, until the traffic has ended. */
  private void follow() {
    String phase = traffic.progress().phase();
    long next = System.nanoTime();
    while (!traffic.progress().ended()) {
      Progress progress = traffic.progress();
      if (!progress.phase().equals(phase)) {
        phase = progress.phase();
        narrator.say(
            switch (phase) {
              case "behind" -> "One partition falls up to a minute behind";
              case "idle" -> "One partition falls silent";
              default -> "All partitions level again";
            });
      }
      if (System.nanoTime() - next >= 0) {
        report();
        next = System.nanoTime() + Duration.ofSeconds(5).toNanos();
      }
      Patience.pause("the end of the traffic");
    }
    traffic.awaitEnd();
    report();
  }

  private void report() {
    Progress progress = traffic.progress();
    narrator.say(
        "  %s %-7s %,8d records sent, %,6d windows committed, %,6d late"
            .formatted(
                CLOCK.format(Instant.ofEpochMilli(progress.eventTime())),
                progress.phase(),
                progress.sent(),
                topics.results(RESULTS).size(),
                routedLate()));
  }

  /** Late records so far, those before the savepoint included. */
  private long routedLate() {
    return topics.routed(LATE).size();
  }

  /** The highest watermark that a subtask went on from; {@code Long.MIN_VALUE} for none. */
  private static long restoredWatermark(JobRef job) {
    List<Metric> restored = new ArrayList<>();
    Patience.until(
        "the restored watermark",
        PATIENCE,
        () -> {
          restored.clear();
          restored.addAll(job.vertexMetrics(".*tidekeeper\\.restoredWatermark"));
          return !restored.isEmpty();
        },
        () -> "no such metric");
    return restored.stream().mapToLong(m -> Long.parseLong(m.value())).max().orElseThrow();
  }

  private Settlement settle(List<ResultRecord> before, Map<Integer, Long> lateBefore) {
    List<ResultRecord> results = new ArrayList<>(topics.results(RESULTS));
    switch (sabotage) {
      case drop_result -> results.remove(results.size() / 2);
      case double_result -> results.add(results.get(results.size() / 2));
      default -> {
        // as it is
      }
    }
    List<Sent> truth = traffic.truth();
    Truth.write(dir.resolve("truth.jsonl"), truth);
    Settlement settlement =
        Account.settle(truth, results, topics.routed(LATE), topics.routed(DEAD_LETTERS));
    Report.write(
        dir,
        settlement,
        Segment.lateBySegment(
            settlement,
            List.of(
                new Segment("under 5 s", Map.of()),
                new Segment("under the schedule", lateBefore))));
    narrator.say(
        "%,d windows before the savepoint, %,d in all".formatted(before.size(), results.size()));
    return settlement;
  }

  private static Claim flowed(FlowWatch flow, String phase, String what) {
    Duration longest = flow.longest(phase);
    return new Claim(
        "results flow with " + what,
        longest.compareTo(STALL_LIMIT) < 0,
        "with %s, results never paused longer than %.1f s (limit %d s)"
            .formatted(what, longest.toMillis() / 1e3, STALL_LIMIT.toSeconds()),
        List.of());
  }

  private static Claim lateSeen(Settlement settlement, Map<Integer, Long> lateBefore) {
    Segment after = new Segment("after", lateBefore);
    long late = settlement.lates().stream().filter(l -> !after.holds(l.routed())).count();
    return new Claim(
        "5 s is too tight for the rush hour",
        late >= LATE_TO_SEE,
        "under 5 s, %,d records of the rush hour were late".formatted(late),
        List.of());
  }

  private static Claim lateStopped(
      Settlement settlement, Map<Integer, Long> lateBefore, long restored) {
    Segment after = new Segment("after", lateBefore);
    List<Settlement.Late> late =
        settlement.lates().stream().filter(l -> after.holds(l.routed())).toList();
    List<Settlement.Late> above =
        late.stream().filter(l -> l.sent().eventTime() > restored).toList();
    return new Claim(
        "the schedule ends late records",
        above.isEmpty() && restored != Long.MIN_VALUE,
        ("under the schedule, %,d records above the restored watermark (%s) were late;"
                + " %,d at or below it, whose windows had fired, were")
            .formatted(
                above.size(),
                restored == Long.MIN_VALUE ? "none" : CLOCK.format(Instant.ofEpochMilli(restored)),
                late.size() - above.size()),
        above.stream().limit(5).map(String::valueOf).toList());
  }

  private Claim plainDoubles(List<ResultRecord> before) {
    List<ResultRecord> plain = new ArrayList<>(before);
    plain.addAll(topics.results(PLAIN_RESULTS));
    long twice = Account.windowsEmittedTwice(plain);
    long ours = Account.windowsEmittedTwice(topics.results(RESULTS));
    return new Claim(
        "no window twice where plain Flink has some",
        twice > 0 && ours == 0,
        "plain Flink: %,d windows emitted twice; here: %,d".formatted(twice, ours),
        List.of());
  }
}
