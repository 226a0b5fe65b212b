package io.tidekeeper.job.source;

import io.tidekeeper.job.align.GroupMember;
import io.tidekeeper.job.align.SplitObservation;
import io.tidekeeper.policy.AlignmentSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes what the readers of a source say of their splits to its alignment group, and tells them
 * which splits to skip. For the coordinator thread only, {@link #close} apart.
 */
final class SkipChannel implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SkipChannel.class);

  private final String source;
  private final String job;
  private final AlignmentSettings alignment;
  private final Readers readers;
  private final EnumeratorGauges gauges;
  private final LongSupplier millisClock;
  private final Map<Integer, List<SplitObservation>> reports = new HashMap<>();
  private final Map<Integer, List<String>> told = new HashMap<>();
  private @Nullable GroupMember member;

  /**
   * @param job tells the groups of two jobs in one JVM apart
   * @param millisClock a steady clock, the same for all sources of the group
   */
  SkipChannel(
      String source,
      String job,
      AlignmentSettings alignment,
      Readers readers,
      EnumeratorGauges gauges,
      LongSupplier millisClock) {
    this.source = source;
    this.job = job;
    this.alignment = alignment;
    this.readers = readers;
    this.gauges = gauges;
    this.millisClock = millisClock;
  }

  /** Joins the group; not before, since Flink closes only what it has started. */
  void start() {
    member = GroupMember.join(job, alignment);
  }

  /** Other times; the group stays. */
  void rules(AlignmentSettings other) {
    group().rules(other);
  }

  /** A subtask starts or restarts: nothing is known of its splits, and it skips none. */
  void forget(int subtask) {
    reports.remove(subtask);
    told.remove(subtask);
    group().forget(subtask);
  }

  void reported(int subtask, List<SplitObservation> splits) {
    reports.put(subtask, splits);
    GroupMember group = group();
    group.report(subtask, splits);
    Set<String> skipped = group.skipped(millisClock.getAsLong());
    reports.forEach((reader, known) -> tell(reader, known, skipped));
    gauges.group(group.drift(), skipped.size());
    gauges.recommendedMaxDrift(group.recommendedMaxDrift());
    gauges.splits(reports.values(), group.drift());
  }

  private void tell(int subtask, List<SplitObservation> known, Set<String> skipped) {
    List<String> wanted = new ArrayList<>();
    for (SplitObservation split : known) {
      if (skipped.contains(split.splitId())) {
        wanted.add(split.splitId());
      }
    }
    List<String> before = told.getOrDefault(subtask, List.of());
    if (wanted.equals(before)) {
      return;
    }
    if (readers.send(subtask, new ExchangeEvent.SkipSplits(wanted))) {
      told.put(subtask, wanted);
      LOG.info(
          "Source '{}', reader {}: the watermark leaves out {} (before: {})",
          source,
          subtask,
          wanted,
          before);
    }
  }

  private GroupMember group() {
    return Objects.requireNonNull(member, "not started");
  }

  @Override
  public void close() {
    GroupMember joined = member;
    if (joined != null) {
      joined.close();
    }
  }
}
