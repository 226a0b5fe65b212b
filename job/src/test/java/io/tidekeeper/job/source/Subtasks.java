package io.tidekeeper.job.source;

import io.tidekeeper.job.backlog.ReadPositions;
import io.tidekeeper.policy.PolicySettings;
import io.tidekeeper.policy.SourceSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Source subtasks for tests outside this package. */
public final class Subtasks {

  private Subtasks() {}

  /** A subtask without splits. */
  public static SourceSubtask of(SourceSettings settings) {
    return of(settings, ReadPositions.none());
  }

  /** A subtask without splits, whose reader stands where {@code positions} say. */
  public static SourceSubtask of(SourceSettings settings, ReadPositions<?> positions) {
    return new SourceSubtask(
        "trips",
        new CurrentPolicy(
            SourcePolicy.of("trips", new PolicySettings(0, settings, new TreeMap<>())),
            System::nanoTime),
        new Reports(event -> {}, System::nanoTime),
        new PositionReports(positions, Duration.ofSeconds(5), event -> {}, System::nanoTime),
        System::nanoTime,
        split -> {});
  }

  /** What the enumerator says: run on this policy. */
  public static void follow(SourceSubtask subtask, long revision, SourceSettings settings) {
    subtask.hear(
        new ExchangeEvent.UsePolicy(
            SourcePolicy.of("trips", new PolicySettings(revision, settings, new TreeMap<>()))));
  }

  /** The subtask waits for the enumerator's word. */
  public static void awaitPolicy(SourceSubtask subtask) {
    subtask.awaitPolicy();
  }

  /** What the enumerator says: leave these splits out of the watermark. */
  public static void skip(SourceSubtask subtask, String... splitIds) {
    subtask.hear(new ExchangeEvent.SkipSplits(List.of(splitIds)));
  }

  /** What the enumerator says: of all splits this one alone has a record to be read there. */
  public static void unread(SourceSubtask subtask, String splitId, long position) {
    subtask.hear(new ExchangeEvent.UnreadSplits(Map.of(splitId, position)));
  }

  /** What the enumerator says: no split has anything to be read, or nobody knows. */
  public static void nothingUnread(SourceSubtask subtask) {
    subtask.hear(new ExchangeEvent.UnreadSplits(Map.of()));
  }

  /** Alignment has paused the split, or resumed it. */
  public static void pause(SourceSubtask subtask, String splitId, boolean paused) {
    subtask.splitsPausedOrResumed(
        paused ? List.of(splitId) : List.of(), paused ? List.of() : List.of(splitId));
  }

  /** Assigns a split. */
  public static void add(SourceSubtask subtask, String splitId) {
    subtask.splitsAdded(List.of(splitId));
  }

  /** What follows is emitted for this split. */
  public static void speaking(SourceSubtask subtask, String splitId) {
    subtask.emitting(subtask.split(splitId));
  }
}
