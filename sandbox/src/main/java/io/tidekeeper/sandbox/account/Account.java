package io.tidekeeper.sandbox.account;

import io.tidekeeper.sandbox.traffic.Kind;
import io.tidekeeper.sandbox.traffic.Sent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The independent account: it knows what was sent and what came out, and nothing of the job in
 * between. Windows are its own arithmetic: ten seconds, aligned to the epoch.
 *
 * <p>Closing records, sent after the traffic to move event time on, stand apart: their windows may
 * still be open. A closing window that was emitted must be right like any other.
 */
public final class Account {
  private Account() {}

  /**
   * Settles a run; see {@link Settlement#claim} for the claims.
   *
   * @param truth what was sent
   * @param results the results topic
   * @param lates the late topic
   * @param deadLetters the dead-letter topic
   * @throws IllegalArgumentException when the truth has two records in one place
   */
  public static Settlement settle(
      List<Sent> truth,
      List<ResultRecord> results,
      List<RoutedRecord> lates,
      List<RoutedRecord> deadLetters) {
    Books books = new Books(truth);
    Routing routing = new Routing(books, truth, lates, deadLetters);
    Windows windows = new Windows(books, routing.lateTallies(), results);

    Map<String, Long> counters = counters(books, routing, windows, results);
    List<Claim> claims = new ArrayList<>();
    claims.add(complete(counters));
    claims.addAll(routing.claims());
    claims.addAll(windows.claims());
    return new Settlement(
        claims,
        Collections.unmodifiableMap(counters),
        lateByPhase(books, routing),
        routing.lates());
  }

  /** How many different windows were emitted more than once. */
  public static long windowsEmittedTwice(List<ResultRecord> results) {
    Set<WindowKey> once = new HashSet<>();
    Set<WindowKey> twice = new HashSet<>();
    for (ResultRecord result : results) {
      WindowKey window = new WindowKey(result.station(), result.windowStart());
      if (!once.add(window)) {
        twice.add(window);
      }
    }
    return twice.size();
  }

  private static Map<String, Long> counters(
      Books books, Routing routing, Windows windows, List<ResultRecord> results) {
    long lateOfTraffic =
        routing.lates().stream()
            .map(late -> WindowKey.of(late.sent().station(), late.sent().eventTime()))
            .filter(window -> !books.isClosing(window))
            .count();
    Map<String, Long> counters = new LinkedHashMap<>();
    counters.put("produced", books.produced());
    counters.put("counted", windows.counted());
    counters.put("late", lateOfTraffic);
    counters.put("malformed", routing.deadCount(Kind.MALFORMED));
    counters.put("future", routing.deadCount(Kind.FUTURE));
    counters.put("closing records sent", books.count(Kind.CLOSING));
    counters.put("closing records counted", windows.countedClosing());
    counters.put("closing records late", routing.lates().size() - lateOfTraffic);
    counters.put("results", (long) results.size());
    counters.put("windows", windows.distinct());
    counters.put("windows emitted twice", windows.twice());
    return counters;
  }

  private static Claim complete(Map<String, Long> counters) {
    long produced = counters.getOrDefault("produced", 0L);
    long counted = counters.getOrDefault("counted", 0L);
    long late = counters.getOrDefault("late", 0L);
    long malformed = counters.getOrDefault("malformed", 0L);
    long future = counters.getOrDefault("future", 0L);
    long sum = counted + late + malformed + future;
    String text =
        ("counted + late + malformed + future = produced: %d + %d + %d + %d = %d of %d"
                + " (%d closing records stand apart, %d of them counted)")
            .formatted(
                counted,
                late,
                malformed,
                future,
                sum,
                produced,
                counters.getOrDefault("closing records sent", 0L),
                counters.getOrDefault("closing records counted", 0L));
    List<String> examples =
        sum == produced
            ? List.of()
            : List.of("%d records too %s".formatted(Math.abs(sum - produced), few(sum, produced)));
    return new Claim("everything is accounted for", sum == produced, text, examples);
  }

  private static String few(long sum, long produced) {
    return sum < produced ? "few" : "many";
  }

  private static Map<String, Long> lateByPhase(Books books, Routing routing) {
    Map<String, Long> byPhase = books.phases();
    routing.lates().forEach(late -> byPhase.merge(late.sent().phase(), 1L, Long::sum));
    return Collections.unmodifiableMap(byPhase);
  }
}
