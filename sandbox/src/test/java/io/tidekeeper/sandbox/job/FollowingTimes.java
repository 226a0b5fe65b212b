package io.tidekeeper.sandbox.job;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * How long changes take until the last of those who follow has, and until it is seen to have. Times
 * begin before the change and end after a reading, so readings make them longer, never shorter.
 */
final class FollowingTimes {

  private final List<Long> seen = new ArrayList<>();
  private final List<Long> followed = new ArrayList<>();
  private final List<Long> readings = new ArrayList<>();
  private long begun;

  /** The change is made now. */
  void begin() {
    begun = System.nanoTime();
  }

  /** Reads what would show the change. */
  <T> T read(Supplier<T> reading) {
    long start = System.nanoTime();
    T value = reading.get();
    readings.add(System.nanoTime() - start);
    return value;
  }

  /** All are seen to follow. */
  void seen() {
    seen.add(System.nanoTime() - begun);
  }

  /**
   * By their own account the last has followed for so long.
   *
   * @param millis just read, after {@link #seen}
   */
  void followingFor(double millis) {
    long byThem = System.nanoTime() - begun - TimeUnit.MILLISECONDS.toNanos((long) millis);
    followed.add(Math.min(byThem, seen.get(seen.size() - 1)));
  }

  /** One line: how many changes there were, and their times in milliseconds. */
  @Override
  public String toString() {
    return "the last of all followed %d changes after %s, and was seen to after %s; a reading took %s"
        .formatted(followed.size(), spread(followed), spread(seen), spread(readings));
  }

  private static String spread(List<Long> nanos) {
    List<Long> sorted = nanos.stream().sorted().toList();
    return "%d/%d/%d ms (min/median/max)"
        .formatted(
            TimeUnit.NANOSECONDS.toMillis(sorted.get(0)),
            TimeUnit.NANOSECONDS.toMillis(sorted.get(sorted.size() / 2)),
            TimeUnit.NANOSECONDS.toMillis(sorted.get(sorted.size() - 1)));
  }
}
