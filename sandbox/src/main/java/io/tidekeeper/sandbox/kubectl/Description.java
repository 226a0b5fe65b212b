package io.tidekeeper.sandbox.kubectl;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What kubectl describes of a policy, without what only machines read. */
public final class Description {

  /** With everything below them. */
  private static final Set<String> LEFT_OUT =
      Set.of(
          "labels",
          "annotations",
          "api version",
          "kind",
          "metadata",
          "spec",
          "events",
          "last transition time",
          "observed generation",
          "previous",
          "undo",
          "progress",
          "uid",
          "desired hash",
          "applied hash",
          "hash",
          "written generation",
          "job format",
          "since",
          "started at",
          "handled retry",
          "last finished");

  private Description() {}

  /**
   * Leaves lines out by their names, with whatever is indented below them.
   *
   * @param described what {@code kubectl describe wmp} has said
   */
  public static String shortened(String described) {
    List<String> kept = new ArrayList<>();
    int below = Integer.MAX_VALUE;
    boolean inTargets = false;
    for (String line : described.lines().toList()) {
      int indent = line.length() - line.stripLeading().length();
      if (indent > below || line.isBlank()) {
        continue;
      }
      String name = name(line);
      inTargets |= name.equals("targets");
      // A single target's conditions are the policy's.
      boolean leftOut = LEFT_OUT.contains(name) || (inTargets && name.equals("conditions"));
      below = leftOut ? indent : Integer.MAX_VALUE;
      if (below == Integer.MAX_VALUE) {
        kept.add(line);
      }
    }
    return String.join("\n", kept);
  }

  /** {@code Observed Generation:} and {@code observedGeneration:} are the same. */
  private static String name(String line) {
    String text = line.strip();
    int colon = text.indexOf(':');
    return (colon < 0 ? text : text.substring(0, colon))
        .replaceFirst("^- ", "")
        .replaceAll("([a-z])([A-Z])", "$1 $2")
        .toLowerCase(Locale.ROOT);
  }
}
