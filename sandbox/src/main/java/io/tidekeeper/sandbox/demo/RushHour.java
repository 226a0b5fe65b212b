package io.tidekeeper.sandbox.demo;

import static io.tidekeeper.sandbox.subway.SubwayJobs.INPUT;
import static io.tidekeeper.sandbox.subway.SubwayJobs.LATE;
import static io.tidekeeper.sandbox.subway.SubwayJobs.RESULTS;

import io.tidekeeper.sandbox.Patience;
import io.tidekeeper.sandbox.run.Narrator;
import io.tidekeeper.sandbox.stage.Closing;
import io.tidekeeper.sandbox.stage.StreamStage;
import io.tidekeeper.sandbox.traffic.Progress;
import io.tidekeeper.sandbox.traffic.Traffic;
import io.tidekeeper.sandbox.traffic.TrafficPlan;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The traffic of the demo, and how things stand while it runs. */
final class RushHour {

  /** So many late records are more than chance. */
  static final long LATE_TO_SEE = 500;

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration BETWEEN_REPORTS = Duration.ofSeconds(5);
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneId.of("Asia/Shanghai"));

  private final Narrator narrator;
  private final StreamStage stream;
  private final TrafficPlan plan;
  private final Traffic traffic;
  private long sentBefore;
  private long lateBefore;

  private RushHour(Narrator narrator, StreamStage stream, TrafficPlan plan, Traffic traffic) {
    this.narrator = narrator;
    this.stream = stream;
    this.plan = plan;
    this.traffic = traffic;
  }

  /** Starts the traffic. */
  static RushHour start(Closing closing, Narrator narrator, StreamStage stream, TrafficPlan plan) {
    Traffic traffic = closing.add(Traffic.start(stream.broker().bootstrapServers(), INPUT, plan));
    return new RushHour(narrator, stream, plan, traffic);
  }

  Traffic traffic() {
    return traffic;
  }

  /** Watches whether results flow. */
  FlowWatch watchFlow() {
    return new FlowWatch(stream.topics(), RESULTS, traffic, plan.speed());
  }

  /** Waits until records come that are too late. */
  void awaitLate() {
    traffic.awaitPhase("rush");
    narrator.say("07:00, the rush hour begins: records come up to 25 s out of order");
    report();
    Patience.until(
        "%d late records".formatted(LATE_TO_SEE),
        PATIENCE,
        () -> routedLate() >= LATE_TO_SEE,
        () -> routedLate() + " late");
    report();
  }

  /** Says every few seconds where things stand, until the traffic has ended. */
  void follow() {
    String phase = "rush";
    long next = System.nanoTime() + BETWEEN_REPORTS.toNanos();
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
        next = System.nanoTime() + BETWEEN_REPORTS.toNanos();
      }
      Patience.pause("the end of the traffic");
    }
    traffic.awaitEnd();
    report();
  }

  /** Says where things stand. */
  void report() {
    Progress progress = traffic.progress();
    long late = routedLate();
    long sentSince = progress.sent() - sentBefore;
    long lateSince = late - lateBefore;
    narrator.say(
        "  %s %-7s %,8d records sent, %,6d windows committed, %,6d late (%.1f %% of the last %,d)"
            .formatted(
                clock(progress.eventTime()),
                progress.phase(),
                progress.sent(),
                stream.topics().results(RESULTS).size(),
                late,
                sentSince == 0 ? 0 : 100.0 * lateSince / sentSince,
                sentSince));
    sentBefore = progress.sent();
    lateBefore = late;
  }

  /** The time of day in Shanghai. */
  static String clock(long millis) {
    return CLOCK.format(Instant.ofEpochMilli(millis));
  }

  private long routedLate() {
    return stream.topics().routed(LATE).size();
  }
}
