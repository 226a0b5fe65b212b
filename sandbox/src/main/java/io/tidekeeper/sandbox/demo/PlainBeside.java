package io.tidekeeper.sandbox.demo;

import static io.tidekeeper.sandbox.subway.SubwayJobs.PLAIN_RESULTS;

import io.tidekeeper.sandbox.Patience;
import io.tidekeeper.sandbox.account.Account;
import io.tidekeeper.sandbox.account.Claim;
import io.tidekeeper.sandbox.account.ResultRecord;
import io.tidekeeper.sandbox.flink.JobRef;
import io.tidekeeper.sandbox.stage.StreamStage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The same job on plain Flink, from the same savepoint. */
final class PlainBeside {

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final StreamStage stream;
  private final List<ResultRecord> before;
  private final JobRef job;

  private PlainBeside(StreamStage stream, List<ResultRecord> before, JobRef job) {
    this.stream = stream;
    this.before = List.copyOf(before);
    this.job = job;
  }

  /**
   * Starts it.
   *
   * @param before the results up to the savepoint
   */
  static PlainBeside start(
      StreamStage stream, String savepoint, List<ResultRecord> before, int parallelism) {
    JobRef job = stream.flink().submit(stream.jobs().plain("30s", parallelism), savepoint);
    job.awaitRunning();
    return new PlainBeside(stream, before, job);
  }

  /** Stops it once its results have passed this time; windows before it have fired then. */
  void stopAfter(long eventTime) {
    Patience.until(
        "results of plain Flink after " + RushHour.clock(eventTime),
        PATIENCE,
        () ->
            stream.topics().results(PLAIN_RESULTS).stream()
                .anyMatch(result -> result.windowStart() > eventTime),
        job::describe);
    String unused = job.stopWithSavepoint(false);
  }

  /** Stops it now. */
  void stop() {
    String unused = job.stopWithSavepoint(false);
  }

  /**
   * What it did twice and we did not.
   *
   * @param ours all our results
   */
  Claim claim(List<ResultRecord> ours) {
    List<ResultRecord> plain = new ArrayList<>(before);
    plain.addAll(stream.topics().results(PLAIN_RESULTS));
    long twice = Account.windowsEmittedTwice(plain);
    long oursTwice = Account.windowsEmittedTwice(ours);
    return new Claim(
        "no window twice where plain Flink has some",
        twice > 0 && oursTwice == 0,
        "plain Flink: %,d windows emitted twice; here: %,d".formatted(twice, oursTwice),
        List.of());
  }
}
