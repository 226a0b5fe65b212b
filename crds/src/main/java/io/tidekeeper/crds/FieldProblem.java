package io.tidekeeper.crds;

/**
 * One thing that is wrong with a policy.
 *
 * @param field the path of the field to change, for example {@code
 *     spec.watermark.schedule.timeZone}
 * @param value its value as given, or empty when it is not set
 * @param message what is wrong and what is allowed
 */
public record FieldProblem(String field, String value, String message) {

  @Override
  public String toString() {
    return field + (value.isEmpty() ? ": " : " '" + value + "': ") + message;
  }
}
