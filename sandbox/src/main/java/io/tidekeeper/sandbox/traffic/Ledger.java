package io.tidekeeper.sandbox.traffic;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What Kafka has acknowledged so far, and the first failure. Safe for any thread. */
final class Ledger {
  private final boolean keeps;
  private final List<Sent> acknowledged = new ArrayList<>();
  private long count;
  private @Nullable Throwable failure;

  private Ledger(boolean keeps) {
    this.keeps = keeps;
  }

  /** Keeps every record. */
  static Ledger complete() {
    return new Ledger(true);
  }

  /** Keeps their number only. */
  static Ledger counting() {
    return new Ledger(false);
  }

  synchronized void acknowledge(Sent sent) {
    count++;
    if (keeps) {
      acknowledged.add(sent);
    }
  }

  synchronized void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
  }

  synchronized long size() {
    return count;
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
          "traffic could not be sent after %d records: %s".formatted(count, failure), failure);
    }
  }
}
