package io.tidekeeper.job.source;

import io.tidekeeper.policy.SourceSettings;
import io.tidekeeper.policy.watermark.SourceLearning;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of one running source subtask share: the reader, which knows splits by name, the
 * watermark generators, which Flink creates without telling them their split, and the operator
 * chained behind the source.
 *
 * <p>Flink creates the main output's generator first, then one generator per split in exactly the
 * order in which the splits are added. Splits that arrive before the first poll are announced to
 * the reader first and get their generators later; splits that arrive afterwards get their
 * generators first. So two queues pair them, and every record verifies the pair.
 *
 * <p>Used by the mailbox thread of its task only.
 */
public final class SourceSubtask {

  private final String sourceName;
  private final CurrentPolicy policy;
  private final Reports reports;
  private final PositionReports positionReports;
  private final LongSupplier nanoClock;
  private final SourceLearning learning = new SourceLearning();
  private final SplitTracker mainOutput;
  private final Consumer<SplitTracker> onNewSplit;

  private final Map<String, SplitTracker> splits = new LinkedHashMap<>();
  private final Deque<SplitTracker> splitsAwaitingGenerator = new ArrayDeque<>();
  private final Deque<SplitSlot> generatorsAwaitingSplit = new ArrayDeque<>();
  private boolean mainGeneratorCreated;

  private SplitTracker current;
  private long trustedUntil = Long.MIN_VALUE;

  /**
   * @param policy the settings this subtask runs on
   * @param reports what the enumerator hears about splits
   * @param positionReports what it hears about where they have been read to
   * @param nanoClock a steady clock in nanoseconds, from any origin
   * @param onNewSplit called once for each split that is assigned to this subtask, also when it
   *     comes back after a release
   */
  SourceSubtask(
      String sourceName,
      CurrentPolicy policy,
      Reports reports,
      PositionReports positionReports,
      LongSupplier nanoClock,
      Consumer<SplitTracker> onNewSplit) {
    this.nanoClock = nanoClock;
    this.sourceName = sourceName;
    this.policy = policy;
    this.reports = reports;
    this.positionReports = positionReports;
    this.mainOutput =
        new SplitTracker(SplitTracker.MAIN_OUTPUT, policy.settings(), learning, nanoClock);
    // Most sources never write to it; it is not to be waited for.
    this.mainOutput.tracker().idle(true);
    this.onNewSplit = onNewSplit;
    this.current = mainOutput;
  }

  /** The place a generator looks up its split in: empty until the two are paired. */
  public static final class SplitSlot {
    private @Nullable SplitTracker split;

    /** The paired split, or null while Flink has not announced it yet. */
    public @Nullable SplitTracker split() {
      return split;
    }
  }

  /** The settings this subtask runs on; they may change between two calls. */
  public SourceSettings settings() {
    return policy.settings();
  }

  /**
   * Up to which event time no record is one from the future by the wall clock, milliseconds since
   * the epoch; {@code Long.MIN_VALUE} before its first reading on these settings.
   */
  public long trustedUntil() {
    return trustedUntil;
  }

  /**
   * The wall clock was read.
   *
   * @param now milliseconds since the epoch
   */
  public void wallClockRead(long now) {
    trustedUntil = policy.trustedUntil(now);
  }

  /**
   * Whether it is not known yet which policy to run on. Until then nothing may be said about event
   * time: a watermark of the wrong policy could not be taken back.
   */
  public boolean awaitsPolicy() {
    return policy.awaitsAnswer();
  }

  /** To be called once at each emit cycle, when the watermarks of all splits are up to date. */
  public void onCycle() {
    splits.values().forEach(SplitTracker::onCycle);
    reports.maySend(policy.settings(), splits.values(), learning.rate());
    positionReports.maySend(splits.values());
  }

  /** The reader starts, and its enumerator will say which policy to run on. */
  void awaitPolicy() {
    policy.awaitAnswer();
  }

  /** What the enumerator says. */
  void hear(ExchangeEvent event) {
    if (event instanceof ExchangeEvent.UsePolicy use) {
      if (policy.follow(use.policy())) {
        trustedUntil = Long.MIN_VALUE;
        mainOutput.tracker().settings(policy.settings());
        splits.values().forEach(split -> split.tracker().settings(policy.settings()));
      }
    } else if (event instanceof ExchangeEvent.UseOptions) {
      policy.answered();
    } else if (event instanceof ExchangeEvent.SkipSplits skip) {
      Set<String> skipped = Set.copyOf(skip.splitIds());
      splits.values().forEach(split -> split.setSkipped(skipped.contains(split.splitId())));
    } else if (event instanceof ExchangeEvent.UnreadSplits unread) {
      splits.values().forEach(s -> s.setUnreadAt(unread.positions().get(s.splitId())));
    } else if (event instanceof ExchangeEvent.OthersRate rate) {
      learning.ratesOfOthers(rate.recordsPerSecond());
    } else {
      throw new IllegalStateException("not meant for a reader: " + event);
    }
  }

  /** What the splits of this subtask learn together. */
  SourceLearning learning() {
    return learning;
  }

  /** The split whose record is being emitted right now. */
  public SplitTracker current() {
    return current;
  }

  /** True when Flink has assigned no split to this subtask. */
  public boolean hasNoSplits() {
    return splits.isEmpty();
  }

  /**
   * True when each split has a watermark, or has been silent for its idle timeout, or is skipped.
   */
  public boolean everySplitHasSpokenOrIsIdle() {
    for (SplitTracker split : splits.values()) {
      if (!split.isIdle() && !split.isSkipped() && split.tracker().watermark() == Long.MIN_VALUE) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether the split holds a record that this subtask has not come to, however long it has been
   * silent: then it is not idle.
   */
  public boolean hasUnread(SplitTracker split) {
    Long position = split.unreadAt();
    return position != null && positionReports.standsAt(split.splitId(), position);
  }

  /** Tells whether {@code split} is what records outside of any split are counted under. */
  public boolean isMainOutput(SplitTracker split) {
    return split == mainOutput;
  }

  /** Called by each generator as Flink creates it; the order of calls is what pairs it. */
  public SplitSlot generatorCreated() {
    SplitSlot slot = new SplitSlot();
    if (!mainGeneratorCreated) {
      mainGeneratorCreated = true;
      slot.split = mainOutput;
    } else if (splitsAwaitingGenerator.isEmpty()) {
      generatorsAwaitingSplit.add(slot);
    } else {
      slot.split = splitsAwaitingGenerator.remove();
    }
    return slot;
  }

  /** Called by the reader for each batch of splits, in Flink's order. */
  void splitsAdded(Collection<String> splitIds) {
    for (String splitId : splitIds) {
      if (splits.containsKey(splitId)) {
        // Flink keeps the output of a split it already knows, and creates no second generator.
        continue;
      }
      SplitTracker split = new SplitTracker(splitId, policy.settings(), learning, nanoClock);
      splits.put(splitId, split);
      onNewSplit.accept(split);
      SplitSlot waiting = generatorsAwaitingSplit.poll();
      if (waiting == null) {
        splitsAwaitingGenerator.add(split);
      } else {
        waiting.split = split;
      }
    }
  }

  /** Called when the source's own reader is done with a split. */
  void splitReleased(String splitId) {
    SplitTracker released = splits.remove(splitId);
    if (released != null) {
      // Its metrics stay, and must not look like those of a split that is falling behind.
      released.finish();
      reports.splitEnded(policy.settings(), splits.values(), learning.rate());
      positionReports.send(splits.values());
    }
  }

  /** Called by the reader when alignment stops or releases splits. */
  void splitsPausedOrResumed(Collection<String> paused, Collection<String> resumed) {
    for (String splitId : paused) {
      split(splitId).setPaused(true);
    }
    for (String splitId : resumed) {
      split(splitId).setPaused(false);
    }
  }

  /**
   * The tracker of an assigned split.
   *
   * @throws IllegalStateException for a split that was never added
   */
  SplitTracker split(String splitId) {
    SplitTracker split = splits.get(splitId);
    if (split == null) {
      throw new IllegalStateException(
          "Source '%s' emits for split '%s', which was never added to its reader (known: %s)"
              .formatted(sourceName, splitId, splits.keySet()));
    }
    return split;
  }

  void emitting(SplitTracker split) {
    // Storing a reference costs the garbage collector's bookkeeping, and most records come from the
    // same split as the one before.
    if (current != split) {
      current = split;
    }
  }

  void emittingOnMainOutput() {
    emitting(mainOutput);
  }

  /**
   * Checks that a generator sees the records of the split it was paired with.
   *
   * @throws IllegalStateException when Flink's order of creation was not the expected one;
   *     watermarks would be computed from another partition's records
   */
  public void verify(SplitSlot slot) {
    if (slot.split != current) {
      throw new IllegalStateException(
          "Source '%s': the watermark generator of split '%s' received a record of split '%s'"
              .formatted(
                  sourceName,
                  slot.split == null ? "(none yet)" : slot.split.splitId(),
                  current.splitId()));
    }
  }
}
