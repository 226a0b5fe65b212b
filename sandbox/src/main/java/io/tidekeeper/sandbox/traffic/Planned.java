package io.tidekeeper.sandbox.traffic;

/**
 * A record about to be sent.
 *
 * @param dueNanos when, in nanoseconds of plan time since the start
 * @param value the JSON, or what became of it
 */
record Planned(
    long dueNanos,
    long id,
    int partition,
    Kind kind,
    String station,
    int passengers,
    long eventTime,
    String phase,
    String value) {

  Sent sent(long offset) {
    return new Sent(id, partition, offset, kind, station, passengers, eventTime, phase);
  }
}
