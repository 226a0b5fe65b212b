package io.tidekeeper.sandbox.traffic;

/** What a sent record is meant to be. */
public enum Kind {
  /** A valid record with the event time of the traffic, more or less out of order. */
  NORMAL,
  /** A record that nobody can read: broken JSON, no or an absurd time, no station. */
  MALFORMED,
  /** A valid record whose time lies days after the wall clock. */
  FUTURE,
  /** A valid record after the end, which moves event time beyond every window of the traffic. */
  CLOSING
}
