package io.tidekeeper.sandbox.demo;

import io.tidekeeper.sandbox.account.Segment;
import io.tidekeeper.sandbox.account.Settlement;
import java.util.List;
import java.util.Map;

/**
 * What one job did, from its start to the next one's, told by the late topic.
 *
 * @param name such as {@code under 5 s}
 * @param from the late topic's end by partition when the job started
 * @param to the same when the next one started
 * @param restored the highest watermark that a subtask went on from; {@code Long.MIN_VALUE} for
 *     none
 */
record Stretch(String name, Map<Integer, Long> from, Map<Integer, Long> to, long restored) {

  /** As a segment of the account. */
  Segment segment() {
    return new Segment(name, from);
  }

  /** The late records of this stretch. */
  List<Settlement.Late> late(Settlement settlement) {
    Segment next = new Segment("next", to);
    return settlement.lates().stream()
        .filter(late -> segment().holds(late.routed()))
        .filter(late -> !to.containsKey(late.routed().partition()) || !next.holds(late.routed()))
        .toList();
  }

  /** Those whose windows had not fired before the job started. */
  List<Settlement.Late> aboveRestored(Settlement settlement) {
    return late(settlement).stream().filter(late -> late.sent().eventTime() > restored).toList();
  }
}
