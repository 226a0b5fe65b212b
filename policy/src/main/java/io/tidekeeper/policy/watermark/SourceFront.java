package io.tidekeeper.policy.watermark;

import java.util.ArrayList;
import java.util.List;

/**
 * How far a source subtask has come: the front of its slowest partition, as a running maximum. Idle
 * partitions do not count; one that has not spoken yet holds it back.
 */
final class SourceFront {

  private final List<Member> members = new ArrayList<>();
  private Member slowest = new Member();
  // No other partition has a front below this; they only rise.
  private long nextSlowest = Long.MIN_VALUE;
  private long value = Long.MIN_VALUE;

  /** One partition's part in it. */
  static final class Member {
    private long front = Long.MIN_VALUE;
    private boolean idle;

    /** {@link Long#MIN_VALUE} before the first record. */
    long front() {
      return front;
    }

    boolean isIdle() {
      return idle;
    }
  }

  /** {@link Long#MIN_VALUE} while a partition that is not idle has not spoken. */
  long value() {
    return value;
  }

  List<Member> members() {
    return members;
  }

  Member join() {
    Member member = new Member();
    members.add(member);
    find();
    return member;
  }

  void leave(Member member) {
    members.remove(member);
    find();
  }

  void idle(Member member, boolean idle) {
    member.idle = idle;
    find();
  }

  /** Notes that a partition has come this far; fronts never fall. */
  void advance(Member member, long front) {
    if (front == member.front) {
      return;
    }
    member.front = front;
    if (member == slowest) {
      if (front <= nextSlowest) {
        value = Math.max(value, front);
      } else {
        find();
      }
    }
  }

  private void find() {
    Member least = null;
    long next = Long.MAX_VALUE;
    // By index: an iterator would be garbage at every record of the slowest partition.
    for (int index = 0; index < members.size(); index++) {
      Member member = members.get(index);
      if (member.idle) {
        continue;
      }
      if (least == null || member.front < least.front) {
        next = least == null ? next : least.front;
        least = member;
      } else if (member.front < next) {
        next = member.front;
      }
    }
    if (least != null) {
      slowest = least;
      nextSlowest = next;
      value = Math.max(value, least.front);
    }
  }
}
