package io.tidekeeper.bench.record;

import java.util.SplittableRandom;

/** A stream in memory: event time runs forward, records come up to four seconds out of order. */
final class Readings {

  /** Records per round; a power of two. */
  static final int COUNT = 1 << 14;

  private static final long START = 1_600_000_000_000L;
  private static final int DISORDER = 4_000;

  private Readings() {}

  /** One record per millisecond. */
  static Reading[] of(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Reading[] readings = new Reading[COUNT];
    for (int i = 0; i < COUNT; i++) {
      readings[i] = new Reading(START + i - random.nextInt(DISORDER));
    }
    return readings;
  }
}
