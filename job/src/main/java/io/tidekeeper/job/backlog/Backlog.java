package io.tidekeeper.job.backlog;

/**
 * What a split holds that has not been read.
 *
 * @param position where its reader stood, as the reader said it
 * @param records how many offsets are behind that, those of transactions that are still open
 *     included; {@link #UNKNOWN} while nobody knows
 * @param unread whether the reader stands still although there is a record that it could read
 */
public record Backlog(long position, long records, boolean unread) {

  /** Stands for a number of records that nobody knows. */
  public static final long UNKNOWN = -1;
}
