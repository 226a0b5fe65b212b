package io.tidekeeper.policy;

/** Timestamps of a partition never fall: no out-of-orderness at all. */
public record Monotonous() implements OutOfOrderness {

  @Override
  public String typeName() {
    return "Monotonous";
  }
}
