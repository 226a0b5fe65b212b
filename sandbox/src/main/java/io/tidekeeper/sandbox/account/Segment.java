package io.tidekeeper.sandbox.account;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A part of a run from one start of the job to the next, told by the late topic: take its end
 * offsets before each start.
 *
 * @param name such as {@code after the change}
 * @param from the late topic's offset by partition from which its records belong to this segment; a
 *     partition that is missing begins at 0
 */
public record Segment(String name, Map<Integer, Long> from) {

  /** Copies the offsets. */
  public Segment {
    from = Map.copyOf(from);
  }

  /**
   * Late records by segment.
   *
   * @param segments in the order of time; the last one a record belongs to gets it
   */
  public static Map<String, Long> lateBySegment(Settlement settlement, List<Segment> segments) {
    Map<String, Long> counts = new LinkedHashMap<>();
    segments.forEach(segment -> counts.put(segment.name(), 0L));
    for (Settlement.Late late : settlement.lates()) {
      for (int i = segments.size() - 1; i >= 0; i--) {
        if (segments.get(i).holds(late.routed())) {
          counts.merge(segments.get(i).name(), 1L, Long::sum);
          break;
        }
      }
    }
    return counts;
  }

  /** Whether a record of the late topic came in this segment or later. */
  public boolean holds(RoutedRecord routed) {
    return routed.offset() >= from.getOrDefault(routed.partition(), 0L);
  }
}
