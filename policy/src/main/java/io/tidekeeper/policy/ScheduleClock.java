package io.tidekeeper.policy;

/** Which time selects the window of a {@link Schedule}. The names are those of options and YAML. */
public enum ScheduleClock {
  /** The record's own time: a replay gives the same result. The default. */
  EventTime,
  /** The wall clock of the machine that reads the record. */
  ProcessingTime
}
