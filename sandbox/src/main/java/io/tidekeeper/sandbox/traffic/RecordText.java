package io.tidekeeper.sandbox.traffic;

import java.util.random.RandomGenerator;

/** The value of a record, well or badly formed. */
final class RecordText {
  /** The first millisecond of the year 10000. */
  private static final long AFTER_YEAR_9999 = 253_402_300_800_000L;

  private static final int MALFORMATIONS = 6;

  private RecordText() {}

  static String valid(long id, String station, int passengers, long time) {
    return "{\"id\":%d,\"station\":\"%s\",\"passengers\":%d,\"time\":%d}"
        .formatted(id, station, passengers, time);
  }

  static String malformed(
      RandomGenerator random, long id, String station, int passengers, long time) {
    String head =
        "{\"id\":%d,\"station\":\"%s\",\"passengers\":%d".formatted(id, station, passengers);
    return switch (random.nextInt(MALFORMATIONS)) {
      case 0 -> head + ",\"ti";
      case 1 -> head + "}";
      case 2 -> head + ",\"time\":" + -time + "}";
      case 3 -> head + ",\"time\":" + (AFTER_YEAR_9999 + time) + "}";
      case 4 -> head + ",\"time\":\"half past seven\"}";
      default -> "{\"id\":%d,\"passengers\":%d,\"time\":%d}".formatted(id, passengers, time);
    };
  }
}
