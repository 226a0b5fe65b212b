package io.tidekeeper.job.align;

import io.tidekeeper.job.align.SkipDecision.Source;
import io.tidekeeper.job.align.SkipDecision.Split;
import io.tidekeeper.policy.AlignmentSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the sources of one alignment group know of their splits, and who is skipped. Each source has
 * a thread of its own on the JobManager, so everything here is guarded by this object.
 */
final class AlignmentGroup {

  private final Map<Integer, Known> members = new TreeMap<>();
  private SkipDecision decision = SkipDecision.NONE;
  private int lastMember;

  /** What is known of one source: the newest report of each of its subtasks. */
  private static final class Known {
    private final long updateIntervalMillis;
    private final Map<Integer, List<SplitObservation>> subtasks = new HashMap<>();
    private SkipRules rules;
    private CatchUp catchUp = CatchUp.NONE;
    private long watchedAt;

    Known(AlignmentSettings alignment) {
      // Fixed at the start of a job; Flink's own reports go by it, too.
      this.updateIntervalMillis = alignment.updateInterval().toMillis();
      this.rules = SkipRules.of(alignment);
    }

    Source source() {
      List<SplitObservation> splits = new ArrayList<>();
      subtasks.values().forEach(splits::addAll);
      return new Source(rules, splits);
    }

    /** Once in an interval, however many subtasks report in it. */
    void watchCatchingUp(long now) {
      if (catchUp.marks().isEmpty() || now - watchedAt >= updateIntervalMillis) {
        catchUp = catchUp.observe(source().splits(), now, updateIntervalMillis);
        watchedAt = now;
      }
    }
  }

  synchronized int join(AlignmentSettings alignment) {
    members.put(++lastMember, new Known(alignment));
    return lastMember;
  }

  synchronized void leave(int member) {
    members.remove(member);
  }

  synchronized boolean isEmpty() {
    return members.isEmpty();
  }

  synchronized void rules(int member, AlignmentSettings alignment) {
    Known known = members.get(member);
    if (known != null) {
      known.rules = SkipRules.of(alignment);
    }
  }

  synchronized void report(int member, int subtask, List<SplitObservation> splits) {
    Known known = members.get(member);
    if (known != null) {
      known.subtasks.put(subtask, splits);
    }
  }

  synchronized void forget(int member, int subtask) {
    Known known = members.get(member);
    if (known != null) {
      known.subtasks.remove(subtask);
      // A split that is unknown for a moment starts anew, its timers included.
      decision = decision.without(member, known.source().splits());
    }
  }

  /** Decides anew for the whole group; returns the skipped splits of the member. */
  synchronized SortedSet<String> decide(int member, long now) {
    Known deciding = members.get(member);
    if (deciding != null) {
      deciding.watchCatchingUp(now);
    }
    decision = decision.decide(sources(), now);
    SortedSet<String> skipped = new TreeSet<>();
    for (Split split : decision.skipped().keySet()) {
      if (split.member() == member) {
        skipped.add(split.splitId());
      }
    }
    return skipped;
  }

  synchronized long recommendedMaxDrift(int member) {
    Known known = members.get(member);
    return known == null
        ? CatchUp.UNKNOWN
        : known.catchUp.recommendedMaxDrift(known.updateIntervalMillis);
  }

  synchronized Drift drift() {
    return Drift.of(sources().values());
  }

  private Map<Integer, Source> sources() {
    Map<Integer, Source> sources = new HashMap<>();
    members.forEach((member, known) -> sources.put(member, known.source()));
    return sources;
  }
}
