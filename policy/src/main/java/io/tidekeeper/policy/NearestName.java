package io.tidekeeper.policy;

import java.util.Comparator;
import java.util.List;

/** Guesses which known name a mistyped one was meant to be. */
final class NearestName {

  private NearestName() {}

  /** The known name with the fewest single-character edits to the given one. */
  static String to(String name, List<String> known) {
    return known.stream()
        .min(Comparator.comparingInt(candidate -> edits(name, candidate)))
        .orElseThrow();
  }

  private static int edits(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int column = 0; column <= to.length(); column++) {
      row[column] = column;
    }
    for (int line = 1; line <= from.length(); line++) {
      int diagonal = row[0];
      row[0] = line;
      for (int column = 1; column <= to.length(); column++) {
        int replace = diagonal + (from.charAt(line - 1) == to.charAt(column - 1) ? 0 : 1);
        diagonal = row[column];
        row[column] = Math.min(replace, 1 + Math.min(row[column], row[column - 1]));
      }
    }
    return row[to.length()];
  }
}
