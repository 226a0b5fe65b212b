package io.tidekeeper.policy;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Partitions with consecutive numbers.
 *
 * @param first 0 to 999,999
 * @param last the last one, inclusive; not below {@code first}
 */
public record PartitionRange(int first, int last) implements Serializable {

  static final int MAX_PARTITION = 999_999;

  /**
   * @throws IllegalArgumentException if a number is out of range or the range is empty
   */
  public PartitionRange {
    if (first < 0 || last > MAX_PARTITION || first > last) {
      throw new IllegalArgumentException(
          "partitions are numbers from 0 to %d and ranges like 7-9, not %d-%d"
              .formatted(MAX_PARTITION, first, last));
    }
  }

  boolean contains(int partition) {
    return first <= partition && partition <= last;
  }

  boolean overlaps(PartitionRange other) {
    return first <= other.last && other.first <= last;
  }

  /** The same partitions in as few ranges as possible, in order. */
  static List<PartitionRange> normalized(List<PartitionRange> ranges) {
    List<PartitionRange> merged = new ArrayList<>();
    for (PartitionRange range :
        ranges.stream().sorted(Comparator.comparingInt(PartitionRange::first)).toList()) {
      PartitionRange before = merged.isEmpty() ? null : merged.get(merged.size() - 1);
      if (before == null || range.first > before.last + 1) {
        merged.add(range);
      } else if (range.last > before.last) {
        merged.set(merged.size() - 1, new PartitionRange(before.first, range.last));
      }
    }
    return List.copyOf(merged);
  }

  /** {@code 3} or {@code 7-9}. */
  @Override
  public String toString() {
    return first == last ? Integer.toString(first) : first + "-" + last;
  }
}
