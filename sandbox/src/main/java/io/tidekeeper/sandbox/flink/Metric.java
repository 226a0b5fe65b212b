package io.tidekeeper.sandbox.flink;

/**
 * A metric of one subtask as Flink's REST API gives it.
 *
 * @param vertex the name of the job vertex
 * @param subtask the index of the subtask, from 0
 * @param name the operator's name, a dot and the metric's; the metric's alone for a task metric
 * @param value the value as text; numbers in most cases
 */
public record Metric(String vertex, int subtask, String name, String value) {

  /**
   * The value as a number.
   *
   * @throws NumberFormatException when it is none
   */
  public double number() {
    return Double.parseDouble(value);
  }
}
