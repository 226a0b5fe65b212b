package io.tidekeeper.policy.watermark;

/** What a tracker made of a record. */
public enum Verdict {
  /** The record counted: it may have advanced event time. */
  ACCEPTED,
  /** Its timestamp is too far ahead of the reference clock: event time did not advance. */
  FUTURE,
  /** It has no timestamp: nothing but its count changed. */
  NO_TIMESTAMP
}
