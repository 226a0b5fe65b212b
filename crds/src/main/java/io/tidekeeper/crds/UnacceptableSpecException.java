package io.tidekeeper.crds;

import java.util.List;
import java.util.stream.Collectors;

/** A spec that the schema lets pass and that still means no policy; lists every problem. */
public final class UnacceptableSpecException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient List<FieldProblem> problems;

  /**
   * @param problems what is wrong; at least one
   */
  public UnacceptableSpecException(List<FieldProblem> problems) {
    super(problems.stream().map(FieldProblem::toString).collect(Collectors.joining("; ")));
    this.problems = List.copyOf(problems);
  }

  /** Every problem, common fields first. */
  public List<FieldProblem> problems() {
    return problems;
  }
}
