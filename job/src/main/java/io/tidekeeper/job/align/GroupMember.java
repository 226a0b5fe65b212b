package io.tidekeeper.job.align;

import io.tidekeeper.policy.AlignmentSettings;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A source's place in its alignment group. Groups live in the JVM of the JobManager, since sources
 * of one group have enumerators of their own; the same name in two jobs is two groups.
 *
 * <p>Methods may be called by any thread.
 */
public final class GroupMember implements AutoCloseable {

  /** In place of a drift: nothing has caught up yet that one could go by. */
  public static final long NO_RECOMMENDATION = CatchUp.UNKNOWN;

  private record Key(String jobId, String group) {}

  private static final Map<Key, AlignmentGroup> GROUPS = new ConcurrentHashMap<>();

  private final Key key;
  private final AlignmentGroup group;
  private final int number;

  private GroupMember(Key key, AlignmentGroup group, int number) {
    this.key = key;
    this.group = group;
    this.number = number;
  }

  /** Joins the group that the alignment names, in this job. */
  public static GroupMember join(String jobId, AlignmentSettings alignment) {
    Key key = new Key(jobId, alignment.group());
    int[] number = new int[1];
    AlignmentGroup group =
        GROUPS.compute(
            key,
            (any, present) -> {
              AlignmentGroup joined = present == null ? new AlignmentGroup() : present;
              number[0] = joined.join(alignment);
              return joined;
            });
    return new GroupMember(key, Objects.requireNonNull(group), number[0]);
  }

  /** Other times and limits; the group stays. */
  public void rules(AlignmentSettings alignment) {
    group.rules(number, alignment);
  }

  /** The newest of what a subtask says of its splits. */
  public void report(int subtask, List<SplitObservation> splits) {
    group.report(number, subtask, splits);
  }

  /** The subtask restarts: what it said no longer counts, and timers of its splits start anew. */
  public void forget(int subtask) {
    group.forget(number, subtask);
  }

  /**
   * The splits of this source that are to be left out of the watermark now.
   *
   * @param now milliseconds of a steady clock, the same for all members
   */
  public SortedSet<String> skipped(long now) {
    return group.decide(number, now);
  }

  /**
   * A maximum drift that does not slow this source down when it catches up, in milliseconds; {@link
   * #NO_RECOMMENDATION} until its splits have been seen to catch up.
   */
  public long recommendedMaxDrift() {
    return group.recommendedMaxDrift(number);
  }

  /** How far the group is apart. */
  public Drift drift() {
    return group.drift();
  }

  @Override
  public void close() {
    GROUPS.computeIfPresent(
        key,
        (any, present) -> {
          if (present != group) {
            return present;
          }
          present.leave(number);
          return present.isEmpty() ? null : present;
        });
  }

  /** How many groups there are in this JVM; a leak would show here. */
  static int groups() {
    return GROUPS.size();
  }
}
