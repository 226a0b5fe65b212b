package io.tidekeeper.sandbox.kubectl;

import java.util.List;

/** Columns as wide as their widest cell, and three blanks between them. */
final class Table {

  private static final int GAP = 3;

  private Table() {}

  /** Writes rows of equally many cells; the last column is as it is. */
  static String of(List<List<String>> rows) {
    int columns = rows.get(0).size();
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < columns; column++) {
        int width = width(rows, column);
        String cell = row.get(column);
        line.append(cell);
        if (column < columns - 1) {
          line.append(" ".repeat(width - cell.length() + GAP));
        }
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString().stripTrailing();
  }

  private static int width(List<List<String>> rows, int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
