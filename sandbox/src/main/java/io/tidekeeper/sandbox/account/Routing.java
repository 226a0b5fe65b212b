package io.tidekeeper.sandbox.account;

import static java.util.Objects.requireNonNull;

import io.tidekeeper.sandbox.traffic.Kind;
import io.tidekeeper.sandbox.traffic.Sent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The late and the dead-letter topic against the truth, record by record. */
final class Routing {
  private final Books books;
  private final List<Settlement.Late> lates = new ArrayList<>();
  private final Map<WindowKey, Tally> lateTallies = new HashMap<>();
  private final Map<Kind, Set<Long>> dead =
      Map.of(Kind.MALFORMED, new HashSet<>(), Kind.FUTURE, new HashSet<>());
  private final Map<Kind, Claim.Breaches> deadBreaches =
      Map.of(Kind.MALFORMED, new Claim.Breaches(), Kind.FUTURE, new Claim.Breaches());
  private final Claim.Breaches lateBreaches = new Claim.Breaches();

  Routing(Books books, List<Sent> truth, List<RoutedRecord> lates, List<RoutedRecord> deadLetters) {
    this.books = books;
    Set<Long> seen = new HashSet<>();
    for (RoutedRecord routed : lates) {
      late(routed, seen);
    }
    for (RoutedRecord routed : deadLetters) {
      deadLetter(routed);
    }
    for (Sent sent : truth) {
      if (!Books.counts(sent) && !ids(sent.kind()).contains(sent.id())) {
        breaches(sent.kind()).add("not in the dead-letter topic: " + sent);
      }
    }
  }

  /** Late records that are the truth's, each once. */
  List<Settlement.Late> lates() {
    return lates;
  }

  /** What the late records would have added to their windows. */
  Map<WindowKey, Tally> lateTallies() {
    return lateTallies;
  }

  /** How many records of this kind, malformed or future, the dead-letter topic holds. */
  long deadCount(Kind kind) {
    return ids(kind).size();
  }

  List<Claim> claims() {
    long malformed = books.count(Kind.MALFORMED);
    long future = books.count(Kind.FUTURE);
    return List.of(
        breaches(Kind.MALFORMED)
            .claim(
                "malformed",
                "each of %d malformed records is in the dead-letter topic once: %d found, %d wrong"
                    .formatted(
                        malformed, deadCount(Kind.MALFORMED), breaches(Kind.MALFORMED).count())),
        breaches(Kind.FUTURE)
            .claim(
                "future",
                "each of %d future records is in the dead-letter topic once: %d found, %d wrong"
                    .formatted(future, deadCount(Kind.FUTURE), breaches(Kind.FUTURE).count())),
        lateBreaches.claim(
            "late",
            "every late record is a valid record of the traffic, once: %d found, %d wrong"
                .formatted(lates.size(), lateBreaches.count())));
  }

  private void late(RoutedRecord routed, Set<Long> seen) {
    Sent sent = books.at(routed);
    if (sent == null) {
      lateBreaches.add("nothing like it was sent: " + routed);
    } else if (!routed.reason().equals("late")) {
      lateBreaches.add("in the late topic for another reason: " + routed);
    } else if (!Books.counts(sent)) {
      lateBreaches.add("late, but " + sent);
    } else if (routed.id() != sent.id()) {
      lateBreaches.add("its headers point at %s: %s".formatted(sent, routed));
    } else if (!seen.add(sent.id())) {
      lateBreaches.add("late more than once: " + sent);
    } else {
      lates.add(new Settlement.Late(sent, routed));
      lateTallies.merge(
          WindowKey.of(sent.station(), sent.eventTime()),
          Tally.one(sent.passengers()),
          Tally::plus);
    }
  }

  private void deadLetter(RoutedRecord routed) {
    Sent sent = books.at(routed);
    Kind stated = routed.reason().equals("future") ? Kind.FUTURE : Kind.MALFORMED;
    if (sent == null) {
      breaches(stated).add("nothing like it was sent: " + routed);
    } else if (Books.counts(sent)) {
      breaches(stated).add("in the dead-letter topic, but " + sent);
    } else if (!routed.reason().equals(sent.kind().name().toLowerCase(Locale.ROOT))) {
      breaches(sent.kind()).add("reason '%s' for %s".formatted(routed.reason(), sent));
    } else if (routed.id() >= 0 && routed.id() != sent.id()) {
      breaches(sent.kind()).add("its headers point at %s: %s".formatted(sent, routed));
    } else if (!ids(sent.kind()).add(sent.id())) {
      breaches(sent.kind()).add("in the dead-letter topic more than once: " + sent);
    }
  }

  private Set<Long> ids(Kind kind) {
    return requireNonNull(dead.get(kind));
  }

  private Claim.Breaches breaches(Kind kind) {
    return requireNonNull(deadBreaches.get(kind));
  }
}
