package io.tidekeeper.job.backlog;

/**
 * The offsets of a split at the broker.
 *
 * @param position where its reader stands, markers resolved
 * @param start the first offset that is still kept
 * @param readableEnd the offset behind the last one that the reader may have; for a source that
 *     reads committed records only, that of the first record of a transaction which is still open
 * @param end the offset behind the last one
 */
public record Offsets(long position, long start, long readableEnd, long end) {

  /** Where the reader goes on: what is no longer kept, it cannot read. */
  long next() {
    return Math.max(position, start);
  }

  /** The same for a reader that stops before an offset. */
  Offsets until(long stop) {
    return new Offsets(position, start, Math.min(readableEnd, stop), Math.min(end, stop));
  }
}
