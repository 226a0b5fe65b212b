package io.tidekeeper.sandbox.demo;

import static io.tidekeeper.sandbox.subway.SubwayJobs.LATE;
import static io.tidekeeper.sandbox.subway.SubwayJobs.RESULTS;

import io.tidekeeper.sandbox.account.ResultRecord;
import io.tidekeeper.sandbox.account.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Where the topics stood at every start of a job: then the one before has written its last record,
 * and the new one none. Thread-safe.
 */
final class JobStarts implements Consumer<String> {

  private final Topics topics;
  private final List<Start> starts = new ArrayList<>();

  JobStarts(Topics topics) {
    this.topics = topics;
  }

  /**
   * One of them.
   *
   * @param jobId the job that was about to start
   * @param late the late topic's end by partition
   * @param results every result so far
   */
  record Start(String jobId, Map<Integer, Long> late, List<ResultRecord> results) {
    Start {
      late = Map.copyOf(late);
      results = List.copyOf(results);
    }
  }

  @Override
  public void accept(String jobId) {
    Start start = new Start(jobId, topics.endOffsets(LATE), topics.results(RESULTS));
    synchronized (starts) {
      starts.removeIf(known -> known.jobId().equals(jobId));
      starts.add(start);
    }
  }

  /** The newest. */
  Start latest() {
    synchronized (starts) {
      return starts.get(starts.size() - 1);
    }
  }

  /** The first one after another. */
  Start following(Start start) {
    synchronized (starts) {
      return starts.get(starts.indexOf(start) + 1);
    }
  }
}
