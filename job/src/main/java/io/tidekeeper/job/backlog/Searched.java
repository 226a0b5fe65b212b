package io.tidekeeper.job.backlog;

/**
 * What a search for a readable record has come to. What lies behind a reader's position does not
 * change, unless it is deleted; so a search holds until the reader has passed it.
 *
 * @param from the first offset that was looked at
 * @param to there is nothing to read before this offset
 * @param found whether there is a record at {@code to}
 */
public record Searched(long from, long to, boolean found) {

  /** Nothing has been looked at. */
  static final Searched NONE = new Searched(0, 0, false);

  /** Whether it still says something about a reader at {@code offsets.next()}. */
  boolean holdsFor(Offsets offsets) {
    return from <= offsets.next()
        && offsets.next() <= to
        && (found ? to < offsets.readableEnd() : to <= offsets.readableEnd());
  }
}
