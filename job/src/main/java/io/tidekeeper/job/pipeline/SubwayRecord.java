package io.tidekeeper.job.pipeline;

/** Passengers counted at a station at one moment. */
public final class SubwayRecord extends InputRecord {

  /** The station, which is also the key. */
  public String station = "";

  /** How many passengers were counted. */
  public int passengers;
}
