package io.tidekeeper.sandbox.account;

import io.tidekeeper.sandbox.traffic.Kind;
import io.tidekeeper.sandbox.traffic.Sent;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The truth, by place and by window. */
final class Books {
  /** A place in the input topic. */
  record Place(int partition, long offset) {}

  private final Map<Place, Sent> byPlace = new HashMap<>();
  private final Map<WindowKey, Tally> windows = new TreeMap<>(Books::inOrder);
  private final Map<WindowKey, Boolean> onlyClosing = new HashMap<>();
  private final Map<Kind, Long> kinds = new HashMap<>();
  private final Map<String, Long> phases = new LinkedHashMap<>();

  Books(List<Sent> truth) {
    for (Sent sent : truth) {
      Sent same = byPlace.put(new Place(sent.partition(), sent.offset()), sent);
      if (same != null) {
        throw new IllegalArgumentException(
            "the truth has two records in one place: %s and %s".formatted(same, sent));
      }
      kinds.merge(sent.kind(), 1L, Long::sum);
      phases.putIfAbsent(sent.phase(), 0L);
      if (counts(sent)) {
        WindowKey window = WindowKey.of(sent.station(), sent.eventTime());
        windows.merge(window, Tally.one(sent.passengers()), Tally::plus);
        onlyClosing.merge(window, sent.kind() == Kind.CLOSING, Boolean::logicalAnd);
      }
    }
  }

  /** Whether a record belongs into a window. */
  static boolean counts(Sent sent) {
    return sent.kind() == Kind.NORMAL || sent.kind() == Kind.CLOSING;
  }

  @Nullable Sent at(RoutedRecord routed) {
    return byPlace.get(new Place(routed.sourcePartition(), routed.sourceOffset()));
  }

  /** What each window holds, closing windows included, by start and station. */
  Map<WindowKey, Tally> windows() {
    return windows;
  }

  /** Whether the window lies after the traffic: only closing records are in it. */
  boolean isClosing(WindowKey window) {
    return onlyClosing.getOrDefault(window, false);
  }

  /** Everything produced apart from closing records in windows of their own. */
  long produced() {
    long counted =
        windows.entrySet().stream()
            .filter(window -> !isClosing(window.getKey()))
            .mapToLong(window -> window.getValue().count())
            .sum();
    return counted + count(Kind.MALFORMED) + count(Kind.FUTURE);
  }

  long count(Kind kind) {
    return kinds.getOrDefault(kind, 0L);
  }

  /** The phases in the order of sending, each with zero. */
  Map<String, Long> phases() {
    return new LinkedHashMap<>(phases);
  }

  private static int inOrder(WindowKey left, WindowKey right) {
    int byStart = Long.compare(left.start(), right.start());
    return byStart != 0 ? byStart : left.station().compareTo(right.station());
  }
}
