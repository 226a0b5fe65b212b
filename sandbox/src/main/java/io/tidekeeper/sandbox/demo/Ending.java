package io.tidekeeper.sandbox.demo;

import static io.tidekeeper.sandbox.subway.SubwayJobs.DEAD_LETTERS;
import static io.tidekeeper.sandbox.subway.SubwayJobs.LATE;
import static io.tidekeeper.sandbox.subway.SubwayJobs.RESULTS;

import io.tidekeeper.sandbox.account.Account;
import io.tidekeeper.sandbox.account.Claim;
import io.tidekeeper.sandbox.account.Report;
import io.tidekeeper.sandbox.account.ResultRecord;
import io.tidekeeper.sandbox.account.Segment;
import io.tidekeeper.sandbox.account.Settlement;
import io.tidekeeper.sandbox.account.Topics;
import io.tidekeeper.sandbox.traffic.Sent;
import io.tidekeeper.sandbox.traffic.Truth;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The account of the whole demo, by a consumer that knows nothing of the job. */
final class Ending {

  private static final int EXAMPLES = 5;

  private final Settlement settlement;

  private Ending(Settlement settlement) {
    this.settlement = settlement;
  }

  /**
   * Reads everything and settles it.
   *
   * @param dir where the account and the truth go
   * @param truth what was sent
   * @param stretches the jobs one after the other
   */
  static Ending settle(
      Path dir, Topics topics, List<Sent> truth, Sabotage sabotage, List<Stretch> stretches) {
    List<ResultRecord> results = new ArrayList<>(topics.results(RESULTS));
    switch (sabotage) {
      case drop_result -> results.remove(results.size() / 2);
      case double_result -> results.add(results.get(results.size() / 2));
      default -> {
        // as it is
      }
    }
    Truth.write(dir.resolve("truth.jsonl"), truth);
    Settlement settlement =
        Account.settle(truth, results, topics.routed(LATE), topics.routed(DEAD_LETTERS));
    List<Segment> segments = stretches.stream().map(Stretch::segment).toList();
    Report.write(dir, settlement, Segment.lateBySegment(settlement, segments));
    return new Ending(settlement);
  }

  /** What follows from what was sent and what came out. */
  List<Claim> accounts() {
    return settlement.claims();
  }

  /** The bound was too tight. */
  Claim lateUnder(Stretch fiveSeconds) {
    long late = fiveSeconds.late(settlement).size();
    return new Claim(
        "5 s is too tight for the rush hour",
        late >= RushHour.LATE_TO_SEE,
        "under 5 s, %,d records of the rush hour were late".formatted(late),
        List.of());
  }

  /** The schedule is generous enough, at every start of a job on it. */
  Claim noneLateUnder(List<Stretch> schedule) {
    List<Settlement.Late> above =
        schedule.stream().flatMap(part -> part.aboveRestored(settlement).stream()).toList();
    int all = schedule.stream().mapToInt(part -> part.late(settlement).size()).sum();
    String restored =
        schedule.stream()
            .map(
                part ->
                    part.restored() == Long.MIN_VALUE ? "none" : RushHour.clock(part.restored()))
            .collect(Collectors.joining(", "));
    return new Claim(
        "the schedule ends late records",
        above.isEmpty() && schedule.stream().noneMatch(p -> p.restored() == Long.MIN_VALUE),
        ("under the schedule, %,d records above the restored watermark (%s) were late;"
                + " %,d at or below it, whose windows had fired, were")
            .formatted(above.size(), restored, all - above.size()),
        above.stream().limit(EXAMPLES).map(String::valueOf).toList());
  }
}
