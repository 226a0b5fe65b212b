package io.tidekeeper.policy.watermark;

/** The watermark that records carry. */
final class CarriedBound implements WatermarkBound {

  private long carried = Long.MIN_VALUE;

  @Override
  public void onCarriedWatermark(long watermark) {
    carried = Math.max(carried, watermark);
  }

  @Override
  public long watermark(long maxEventTime, long nowMillis) {
    return carried;
  }

  @Override
  public long outOfOrderness(long maxEventTime, long nowMillis) {
    if (carried == Long.MIN_VALUE || maxEventTime <= carried) {
      return 0;
    }
    return Millis.between(carried, maxEventTime) - 1;
  }
}
