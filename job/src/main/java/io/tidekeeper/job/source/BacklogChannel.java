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
import java.util.TreeMap;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows what the splits of a source hold that has not been read, and tells readers which of their
 * splits are not idle therefore. For the coordinator thread only, {@link #close} apart.
 */
final class BacklogChannel implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(BacklogChannel.class);

  private final String source;
  private final Readers readers;
  private final EnumeratorGauges gauges;
  private final BacklogPoll poll;
  private final Map<Integer, List<SplitPosition>> reports = new HashMap<>();
  private final Map<Integer, Map<String, Long>> told = new HashMap<>();

  BacklogChannel(
      String source,
      BacklogProbe<?> probe,
      SourceSettings settings,
      SplitEnumeratorContext<?> context,
      Readers readers,
      EnumeratorGauges gauges) {
    this.source = source;
    this.readers = readers;
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

  /** A subtask starts or restarts: nobody knows where it stands, and it has been told nothing. */
  void forget(int subtask) {
    reports.remove(subtask);
    told.remove(subtask);
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
    reports.forEach((reader, splits) -> tell(reader, splits, backlogs));
  }

  private void tell(int reader, List<SplitPosition> splits, Map<String, Backlog> backlogs) {
    Map<String, Long> unread = new TreeMap<>();
    for (SplitPosition split : splits) {
      Backlog backlog = backlogs.get(split.splitId());
      if (backlog != null && backlog.unread() && backlog.position() == split.position()) {
        unread.put(split.splitId(), backlog.position());
      }
    }
    Map<String, Long> before = told.getOrDefault(reader, Map.of());
    if (unread.equals(before)
        || !readers.send(reader, new ExchangeEvent.UnreadSplits(Map.copyOf(unread)))) {
      return;
    }
    told.put(reader, unread);
    if (!unread.keySet().equals(before.keySet())) {
      LOG.info(
          "Source '{}', reader {}: {} hold records that it has not come to, and are not idle"
              + " (before: {})",
          source,
          reader,
          unread.keySet(),
          before.keySet());
    }
  }

  @Override
  public void close() {
    poll.close();
  }
}
