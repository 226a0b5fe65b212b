package io.tidekeeper.sandbox.account;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The emitted windows against the truth. */
final class Windows {
  private final Books books;
  private final Map<WindowKey, Tally> late;
  private final Map<WindowKey, Tally> emitted = new HashMap<>();
  private final Map<WindowKey, Integer> times = new HashMap<>();
  private final Claim.Breaches unknown = new Claim.Breaches();

  Windows(Books books, Map<WindowKey, Tally> late, List<ResultRecord> results) {
    this.books = books;
    this.late = late;
    for (ResultRecord result : results) {
      WindowKey window = new WindowKey(result.station(), result.windowStart());
      Tally tally = new Tally(result.count(), result.passengers());
      emitted.merge(window, tally, Tally::plus);
      times.merge(window, 1, Integer::sum);
      if (!books.windows().containsKey(window)) {
        unknown.add("no record was sent for " + result);
      } else if (result.windowEnd() - result.windowStart() != WindowKey.LENGTH_MILLIS) {
        unknown.add("not ten seconds long: " + result);
      }
    }
  }

  /** Records counted in windows of the traffic. */
  long counted() {
    return counted(false);
  }

  /** Records counted in windows after the traffic. */
  long countedClosing() {
    return counted(true);
  }

  /** Different windows emitted, closing ones included. */
  long distinct() {
    return emitted.size();
  }

  /** Different windows emitted more than once. */
  long twice() {
    return times.values().stream().filter(count -> count > 1).count();
  }

  List<Claim> claims() {
    return List.of(againstTruth(false), againstTruth(true), once(), known());
  }

  /** Windows with or without late records against the truth minus their late records. */
  private Claim againstTruth(boolean withLate) {
    Claim.Breaches breaches = new Claim.Breaches();
    long checked = 0;
    for (Map.Entry<WindowKey, Tally> entry : books.windows().entrySet()) {
      WindowKey window = entry.getKey();
      boolean hasLate = late.containsKey(window);
      boolean open = books.isClosing(window) && !emitted.containsKey(window);
      if (hasLate == withLate && !open) {
        checked++;
        Tally due = entry.getValue().minus(late.getOrDefault(window, Tally.NONE));
        Tally was = emitted.getOrDefault(window, Tally.NONE);
        if (!was.equals(due)) {
          breaches.add("%s: %s emitted, %s due".formatted(window, was, due));
        }
      }
    }
    String right = "%d of %d".formatted(checked - breaches.count(), checked);
    return withLate
        ? breaches.claim(
            "windows with late records",
            "%s windows with late records equal the truth minus those records".formatted(right))
        : breaches.claim(
            "windows without late records",
            "%s windows without late records equal the truth".formatted(right));
  }

  private Claim once() {
    Claim.Breaches breaches = new Claim.Breaches();
    times.forEach(
        (window, count) -> {
          if (count > 1) {
            breaches.add("%s emitted %d times".formatted(window, count));
          }
        });
    return breaches.claim(
        "no window twice",
        "%d of %d windows were emitted more than once".formatted(breaches.count(), distinct()));
  }

  private Claim known() {
    return unknown.claim(
        "no unknown window",
        "%d emitted windows hold no record that was sent".formatted(unknown.count()));
  }

  private long counted(boolean closing) {
    return emitted.entrySet().stream()
        .filter(window -> books.isClosing(window.getKey()) == closing)
        .mapToLong(window -> window.getValue().count())
        .sum();
  }
}
