package io.tidekeeper.sandbox.demo;

import static io.tidekeeper.sandbox.subway.SubwayJobs.LATE;
import static io.tidekeeper.sandbox.subway.SubwayJobs.RESULTS;

import io.tidekeeper.sandbox.account.Claim;
import io.tidekeeper.sandbox.account.ResultRecord;
import io.tidekeeper.sandbox.flink.JobRef;
import io.tidekeeper.sandbox.run.Narrator;
import io.tidekeeper.sandbox.stage.Closing;
import io.tidekeeper.sandbox.stage.StreamStage;
import io.tidekeeper.sandbox.subway.LastWindow;
import io.tidekeeper.sandbox.traffic.TrafficPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The demo without Kubernetes: the threshold is changed by hand, with a savepoint. */
final class StreamStory {

  /** Long enough for a noisy machine; a stalled job would be silent for the rest of the phase. */
  private static final Duration STALL_LIMIT = Duration.ofSeconds(12);

  private static final int PARALLELISM = 2;

  private StreamStory() {}

  /** Runs the demo and returns every claim it makes, true or not. */
  static List<Claim> tell(Narrator narrator, Path dir, Path jobJar, long seed, Sabotage sabotage) {
    narrator.say("Starting a Kafka broker and a Flink cluster on 127.0.0.1");
    TrafficPlan plan = TrafficPlan.rushHour(seed);
    try (Closing closing = Closing.atTheEnd()) {
      StreamStage stream = StreamStage.start(closing, dir, jobJar, plan.partitions());
      narrator.say(stream.addresses());
      JobRef first =
          stream
              .flink()
              .submit(stream.jobs().bundled(DemoPolicies.fiveSeconds(), PARALLELISM), null);
      first.awaitRunning();
      narrator.say("The subway job runs with 5 s of out-of-orderness (revision 1)");
      RushHour rushHour = RushHour.start(closing, narrator, stream, plan);
      narrator.say(
          "Traffic: %,d records in %d s on %d partitions, event time %.0fx wall time, seed %d"
              .formatted(
                  plan.records(), plan.wall().toSeconds(), plan.partitions(), plan.speed(), seed));
      rushHour.awaitLate();
      return change(narrator, dir, sabotage, stream, rushHour, first);
    }
  }

  private static List<Claim> change(
      Narrator narrator,
      Path dir,
      Sabotage sabotage,
      StreamStage stream,
      RushHour rushHour,
      JobRef first) {
    narrator.say("Stopping with a savepoint, to go on with 30 s in the rush hour (revision 2)");
    long stopping = System.nanoTime();
    String savepoint = first.stopWithSavepoint(false);
    List<ResultRecord> before = stream.topics().results(RESULTS);
    Map<Integer, Long> lateBefore = stream.topics().endOffsets(LATE);
    boolean restore = sabotage != Sabotage.no_watermark_restore;
    JobRef second =
        stream
            .flink()
            .submit(
                stream.jobs().bundled(DemoPolicies.rushHourSchedule(restore), PARALLELISM),
                savepoint);
    second.awaitRunning();
    narrator.say(
        "Restored and running after %.1f s"
            .formatted(Duration.ofNanos(System.nanoTime() - stopping).toMillis() / 1e3));
    PlainBeside plain = PlainBeside.start(stream, savepoint, before, PARALLELISM);
    narrator.say("Beside it, the same job on plain Flink from the same savepoint, with 30 s");
    Stretch fiveSeconds = new Stretch("under 5 s", Map.of(), lateBefore, Long.MIN_VALUE);
    Stretch schedule =
        new Stretch("under the schedule", lateBefore, Map.of(), Restored.watermark(second));

    List<Claim> flow = new ArrayList<>();
    try (FlowWatch watch = rushHour.watchFlow()) {
      rushHour.follow();
      flow.add(watch.claim("behind", "one partition a minute behind", STALL_LIMIT));
      flow.add(watch.claim("idle", "one partition silent", STALL_LIMIT));
    }
    rushHour.traffic().sendClosing();
    narrator.say("Closing records sent; waiting for the last windows");
    LastWindow.await(second, rushHour.traffic());
    String unused = second.stopWithSavepoint(false);
    plain.stop();
    narrator.say("Both jobs stopped; now the account, by a consumer that knows nothing of them");

    Ending ending =
        Ending.settle(
            dir,
            stream.topics(),
            rushHour.traffic().truth(),
            sabotage,
            List.of(fiveSeconds, schedule));
    List<Claim> claims = new ArrayList<>(ending.accounts());
    claims.addAll(flow);
    claims.add(ending.lateUnder(fiveSeconds));
    claims.add(ending.noneLateUnder(List.of(schedule)));
    claims.add(plain.claim(stream.topics().results(RESULTS)));
    return claims;
  }
}
