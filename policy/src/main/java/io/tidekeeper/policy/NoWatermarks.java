package io.tidekeeper.policy;

/** No watermarks are emitted; in options and YAML the type is called {@code None}. */
public record NoWatermarks() implements OutOfOrderness {

  @Override
  public String typeName() {
    return "None";
  }
}
