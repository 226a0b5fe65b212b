package io.tidekeeper.job.source;

import io.tidekeeper.job.backlog.Backlog;
import io.tidekeeper.job.backlog.BacklogPace;
import io.tidekeeper.job.backlog.BacklogPoll;
import io.tidekeeper.job.backlog.BacklogProbe;
import io.tidekeeper.job.backlog.SplitPosition;
import io.tidekeeper.policy.SourceSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;

/**
 * Shows what the splits of a source hold that has not been read. For the coordinator thread only,
 * {@link #close} apart.
 */
final class BacklogChannel implements AutoCloseable {

  private final EnumeratorGauges gauges;
  private final BacklogPoll poll;
  private final Map<Integer, List<SplitPosition>> reports = new HashMap<>();

  BacklogChannel(
      String source,
      BacklogProbe<?> probe,
      SourceSettings settings,
      SplitEnumeratorContext<?> context,
      EnumeratorGauges gauges) {
    this.gauges = gauges;
    this.poll =
        new BacklogPoll(
            source,
            probe.connect(),
            BacklogPace.of(settings),
            found -> context.runInCoordinatorThread(() -> found(found)));
  }

  void start() {
    poll.start();
  }

  /** A subtask starts or restarts: nobody knows where it stands. */
  void forget(int subtask) {
    reports.remove(subtask);
    ask();
  }

  void reported(int subtask, List<SplitPosition> positions) {
    reports.put(subtask, positions);
    ask();
  }

  private void ask() {
    Map<String, SplitPosition> all = new HashMap<>();
    reports
        .values()
        .forEach(splits -> splits.forEach(position -> all.put(position.splitId(), position)));
    poll.positions(all);
    gauges.splitsWithBacklog(all.keySet());
  }

  private void found(Map<String, Backlog> backlogs) {
    Map<String, Long> records = new HashMap<>();
    reports
        .values()
        .forEach(
            splits ->
                splits.forEach(
                    position -> {
                      Backlog backlog = backlogs.get(position.splitId());
                      records.put(
                          position.splitId(),
                          backlog == null ? Backlog.UNKNOWN : backlog.records());
                    }));
    gauges.backlogs(records);
  }

  @Override
  public void close() {
    poll.close();
  }
}
