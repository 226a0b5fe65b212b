package io.tidekeeper.job.backlog;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the looks at a split so far say of its backlog; the same looks always give the same result.
 *
 * <p>Offsets alone do not say whether there is anything to read: marks of transactions, records of
 * aborted ones and records that a compaction has removed take offsets, too. Who reads on passes
 * them in no time; where a reader stands still from one look to the next, a search decides, once
 * for each stretch.
 *
 * @param reported where the reader stood at the last look
 * @param still whether it stood there at the look before, too
 * @param offsets the broker's side at the last look, null when it was not known
 * @param searched what a search has come to
 */
record SplitBacklog(
    SplitPosition reported, boolean still, @Nullable Offsets offsets, Searched searched) {

  /** The first look. */
  static SplitBacklog first(SplitPosition reported, @Nullable Offsets offsets) {
    return new SplitBacklog(reported, false, offsets, Searched.NONE);
  }

  /** The next look. */
  SplitBacklog next(SplitPosition reported, @Nullable Offsets offsets) {
    boolean still = reported.position() == this.reported.position();
    SplitBacklog next = new SplitBacklog(reported, still, offsets, searched);
    Offsets known = next.readable();
    return known == null || searched.holdsFor(known)
        ? next
        : new SplitBacklog(reported, still, offsets, Searched.NONE);
  }

  /** The stretch that is to be searched before anything can be said. */
  Optional<BrokerSide.Stretch> toSearch() {
    Offsets known = readable();
    if (known == null || !still || found(known)) {
      return Optional.empty();
    }
    long from = reached(known);
    return from < known.readableEnd()
        ? Optional.of(new BrokerSide.Stretch(from, known.readableEnd()))
        : Optional.empty();
  }

  /** A search has come to this; it goes on from the one before. */
  SplitBacklog with(Searched result) {
    Offsets known = readable();
    boolean joins = known != null && searched.holdsFor(known) && searched.to() == result.from();
    return new SplitBacklog(
        reported,
        still,
        offsets,
        joins ? new Searched(searched.from(), result.to(), result.found()) : result);
  }

  /** What there is to say now. */
  Backlog backlog() {
    Offsets known = readable();
    if (known == null) {
      return new Backlog(reported.position(), Backlog.UNKNOWN, false);
    }
    return new Backlog(
        reported.position(), Math.max(0, known.end() - reached(known)), still && found(known));
  }

  private @Nullable Offsets readable() {
    return offsets == null ? null : offsets.until(reported.stop());
  }

  /** Up to where there is nothing to read. */
  private long reached(Offsets known) {
    return searched.holdsFor(known) ? searched.to() : known.next();
  }

  private boolean found(Offsets known) {
    return searched.found() && searched.holdsFor(known);
  }
}
