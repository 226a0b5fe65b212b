package io.tidekeeper.job.pipeline;

/** One result of the subway pipeline: what was counted at a station within one window. */
public final class StationCount {

  /** The station. */
  public String station = "";

  /** First millisecond of the window, since the epoch. */
  public long windowStart;

  /** First millisecond after the window, since the epoch. */
  public long windowEnd;

  /** Number of records. */
  public long count;

  /** Sum of their passengers. */
  public long passengers;
}
