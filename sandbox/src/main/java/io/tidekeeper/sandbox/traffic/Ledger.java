package io.tidekeeper.sandbox.traffic;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What Kafka has acknowledged so far, and the first failure. Safe for any thread. */
final class Ledger {
  private final List<Sent> acknowledged = new ArrayList<>();
  private @Nullable Throwable failure;

  synchronized void acknowledge(Sent sent) {
    acknowledged.add(sent);
  }

  synchronized void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
  }

  synchronized int size() {
    return acknowledged.size();
  }

  /** Everything acknowledged, by id. */
  synchronized List<Sent> sent() {
    List<Sent> copy = new ArrayList<>(acknowledged);
    copy.sort(Comparator.comparingLong(Sent::id));
    return copy;
  }

  /** Throws if anything has failed. */
  synchronized void check() {
    if (failure != null) {
      throw new IllegalStateException(
          "traffic could not be sent after %d records: %s".formatted(acknowledged.size(), failure),
          failure);
    }
  }
}
