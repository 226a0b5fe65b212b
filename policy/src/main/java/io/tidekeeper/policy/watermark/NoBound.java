package io.tidekeeper.policy.watermark;

/** Never a watermark. */
final class NoBound implements WatermarkBound {

  @Override
  public long watermark(long maxEventTime, long nowMillis) {
    return Long.MIN_VALUE;
  }

  @Override
  public long outOfOrderness(long maxEventTime, long nowMillis) {
    return 0;
  }
}
