package io.tidekeeper.policy;

import java.util.List;
import java.util.stream.Collectors;

/** The options are wrong; the message lists every problem at once. */
public final class InvalidPolicyException extends RuntimeException {

  private final List<Problem> problems;

  /**
   * @param problems what is wrong; at least one
   */
  public InvalidPolicyException(List<Problem> problems) {
    super(describe(problems));
    this.problems = List.copyOf(problems);
  }

  /** Every problem, in the order of the options. */
  public List<Problem> problems() {
    return problems;
  }

  private static String describe(List<Problem> problems) {
    return problems.stream()
        .map(problem -> "  - " + problem)
        .collect(
            Collectors.joining(
                "\n",
                "%d problem%s in the tidekeeper options:\n"
                    .formatted(problems.size(), problems.size() == 1 ? "" : "s"),
                ""));
  }
}
