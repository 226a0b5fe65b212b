package io.tidekeeper.policy.watermark;

/** The same distance always. */
final class ConstantBound implements WatermarkBound {

  private final long outOfOrderness;

  ConstantBound(long outOfOrderness) {
    this.outOfOrderness = outOfOrderness;
  }

  @Override
  public long watermark(long maxEventTime, long nowMillis) {
    return Millis.minus(Millis.minus(maxEventTime, outOfOrderness), 1);
  }

  @Override
  public long outOfOrderness(long maxEventTime, long nowMillis) {
    return outOfOrderness;
  }
}
