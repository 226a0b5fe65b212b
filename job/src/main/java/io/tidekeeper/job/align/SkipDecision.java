package io.tidekeeper.job.align;

import static java.util.stream.Collectors.toSet;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which splits of an alignment group are left out of the watermark, because they have been too far
 * behind for too long, and since when which split has been behind or near enough.
 *
 * <p>Of each source one split that counts always stays: with none left, Flink would move the
 * source's watermark to the furthest of its splits and then nowhere.
 *
 * @param behindSince splits that count and are too far behind: the time when that began
 * @param skipped splits that are left out: the time since when they have been near enough to count
 *     again, {@link #FAR} while they are not. Times are milliseconds of any steady clock
 */
record SkipDecision(Map<Split, Long> behindSince, Map<Split, Long> skipped) {

  /** A skipped split that is still too far behind. */
  static final long FAR = Long.MIN_VALUE;

  /** Before anything was seen. */
  static final SkipDecision NONE = new SkipDecision(Map.of(), Map.of());

  /**
   * A split of a source of the group.
   *
   * @param member identifies the source
   */
  record Split(int member, String splitId) {}

  SkipDecision {
    behindSince = Map.copyOf(behindSince);
    skipped = Map.copyOf(skipped);
  }

  /** The sources of the group, by their number: their rules and what is known of their splits. */
  record Source(SkipRules rules, List<SplitObservation> splits) {}

  /**
   * Decides; the same arguments always give the same result.
   *
   * @param sources all of the group
   * @param now milliseconds of a steady clock
   */
  SkipDecision decide(Map<Integer, Source> sources, long now) {
    long front = Drift.front(sources.values());
    Map<Split, Long> nextBehind = new HashMap<>();
    Map<Split, Long> nextSkipped = new HashMap<>();
    sources.forEach(
        (member, source) -> {
          for (SplitObservation split : source.splits()) {
            Split key = new Split(member, split.splitId());
            if (skipped.containsKey(key)) {
              staysSkipped(key, split, source.rules(), front, now, nextSkipped);
            } else if (split.state() == SplitState.ACTIVE || split.state() == SplitState.SKIPPED) {
              // SKIPPED here: its reader has not heard yet that it counts again.
              if (isBehind(split, source.rules(), front)) {
                nextBehind.put(key, behindSince.getOrDefault(key, now));
              }
            }
          }
        });
    sources.forEach(
        (member, source) -> {
          skipOverdue(member, source, now, nextBehind, nextSkipped);
          keepOne(member, source, nextSkipped);
        });
    return new SkipDecision(nextBehind, nextSkipped);
  }

  /** The same without the splits of a member that are not among those given. */
  SkipDecision without(int member, List<SplitObservation> present) {
    Set<String> kept = present.stream().map(SplitObservation::splitId).collect(toSet());
    Map<Split, Long> nextBehind = new HashMap<>(behindSince);
    Map<Split, Long> nextSkipped = new HashMap<>(skipped);
    nextBehind.keySet().removeIf(s -> s.member() == member && !kept.contains(s.splitId()));
    nextSkipped.keySet().removeIf(s -> s.member() == member && !kept.contains(s.splitId()));
    return new SkipDecision(nextBehind, nextSkipped);
  }

  private void staysSkipped(
      Split key,
      SplitObservation split,
      SkipRules rules,
      long front,
      long now,
      Map<Split, Long> nextSkipped) {
    if (split.state() == SplitState.FINISHED || rules.skipAfterMillis() == Long.MAX_VALUE) {
      return;
    }
    if (isBehind(split, rules, front)) {
      nextSkipped.put(key, FAR);
      return;
    }
    long before = skipped.getOrDefault(key, FAR);
    long nearSince = before == FAR ? now : before;
    if (now - nearSince < rules.backAfterMillis()) {
      nextSkipped.put(key, nearSince);
    }
  }

  private static void skipOverdue(
      int member,
      Source source,
      long now,
      Map<Split, Long> nextBehind,
      Map<Split, Long> nextSkipped) {
    List<SplitObservation> overdue = new ArrayList<>();
    int counting = 0;
    for (SplitObservation split : source.splits()) {
      Split key = new Split(member, split.splitId());
      if (split.speaks() && !nextSkipped.containsKey(key)) {
        counting++;
        Long since = nextBehind.get(key);
        if (since != null && now - since >= source.rules().skipAfterMillis()) {
          overdue.add(split);
        }
      }
    }
    overdue.sort(Comparator.comparingLong(SplitObservation::watermark));
    for (SplitObservation split : overdue) {
      if (counting > 1) {
        Split key = new Split(member, split.splitId());
        nextBehind.remove(key);
        nextSkipped.put(key, FAR);
        counting--;
      }
    }
  }

  /** When all that counted has fallen silent, the furthest of the skipped counts again. */
  private static void keepOne(int member, Source source, Map<Split, Long> nextSkipped) {
    @Nullable SplitObservation furthest = null;
    for (SplitObservation split : source.splits()) {
      if (!split.speaks()) {
        continue;
      }
      if (!nextSkipped.containsKey(new Split(member, split.splitId()))) {
        return;
      }
      if (furthest == null || split.watermark() > furthest.watermark()) {
        furthest = split;
      }
    }
    if (furthest != null) {
      nextSkipped.remove(new Split(member, furthest.splitId()));
    }
  }

  private static boolean isBehind(SplitObservation split, SkipRules rules, long front) {
    return Drift.between(split.watermark(), front) > rules.maxDriftMillis();
  }
}
