package io.tidekeeper.policy;

/**
 * Records carry watermarks: each may say that nothing at or below a time will follow in its
 * partition.
 *
 * @param field the JSON field in which the bundled pipelines look for it, 1 to 63 of {@code a-z A-Z
 *     0-9 . _ -}. A job of your own gives a function instead, and the name is not used
 */
public record Punctuated(String field) implements OutOfOrderness {

  /**
   * @throws IllegalArgumentException if the field's name is not legal
   */
  public Punctuated {
    if (!Names.isField(field)) {
      throw new IllegalArgumentException(
          PolicyOption.PUNCTUATED_FIELD.key()
              + " must be "
              + PolicyOption.PUNCTUATED_FIELD.allowed()
              + ", not '"
              + field
              + "'");
    }
  }

  @Override
  public String typeName() {
    return "Punctuated";
  }
}
