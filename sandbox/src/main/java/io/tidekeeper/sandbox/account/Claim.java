package io.tidekeeper.sandbox.account;

import java.util.ArrayList;
import java.util.List;

/**
 * A statement about a run, proven or disproven by the account.
 *
 * @param name short and stable, such as {@code no window twice}
 * @param holds whether it is true
 * @param text the statement with its numbers
 * @param examples the first few records or windows that break it; empty when it holds
 */
public record Claim(String name, boolean holds, String text, List<String> examples) {

  /** Copies the examples. */
  public Claim {
    examples = List.copyOf(examples);
  }

  /** Collects what breaks a claim: all are counted, the first few are kept. */
  static final class Breaches {
    private static final int KEPT = 5;
    private final List<String> examples = new ArrayList<>();
    private long count;

    void add(String example) {
      count++;
      if (examples.size() < KEPT) {
        examples.add(example);
      }
    }

    long count() {
      return count;
    }

    Claim claim(String name, String text) {
      return new Claim(name, count == 0, text, examples);
    }
  }
}
