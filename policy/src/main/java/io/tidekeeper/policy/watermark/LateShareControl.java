package io.tidekeeper.policy.watermark;

import java.nio.ByteBuffer;

/**
 * Corrects the share the histogram is asked for: slowly, by the share that is really late, and
 * quickly, when longer distances than usual come in.
 *
 * <p>While the correction is not at its limit, the realised share over N records differs from the
 * asked one by at most its change / gain / N, whatever the input.
 */
final class LateShareControl {

  private static final double MIN_GAIN = 0.0005;
  private static final double MAX_GAIN = 0.05;
  private static final double LIMIT = 3;
  private static final double HALF_DAY = 12.0 * SeasonalHistogram.SLOT_MILLIS;
  private static final double TAIL_RECORDS = 200;
  private static final double TAIL_WEIGHT = 0.5;
  private static final double TAIL_MULTIPLE = 4;
  private static final double TAIL_PRIOR = 5;
  private static final double TAIL_LIMIT = 1.6;

  private final double asked;
  private double gain = MAX_GAIN;
  private double correction;

  // The tail: distances beyond a threshold that a known share exceeds, seen and expected.
  private double threshold = 1e18;
  private double expectedShare;
  private double seenBeyond;
  private double expectedBeyond;
  private double kept = 0.999;

  LateShareControl(double asked) {
    this.asked = asked;
  }

  /**
   * Takes the fate of a record in.
   *
   * @param mayRise false while the bound is at its upper limit, where asking for more is vain
   * @param mayFall false while it is at its lower limit
   */
  void realised(boolean late, boolean mayRise, boolean mayFall) {
    if (late ? mayRise : mayFall) {
      double next = correction + gain * ((late ? 1 : 0) - asked);
      correction = Math.min(Math.max(next, -LIMIT), LIMIT);
    }
  }

  void observed(double distance) {
    seenBeyond = seenBeyond * kept + (distance > threshold ? 1 : 0);
    expectedBeyond = expectedBeyond * kept + expectedShare;
  }

  /**
   * Fits both corrections to the stream.
   *
   * @param rate records per millisecond
   */
  void tune(double rate) {
    kept = 1 - 1 / Math.max(rate * SeasonalHistogram.SLOT_MILLIS, TAIL_RECORDS);
    double wanted = 1 / (asked * Math.max(rate * HALF_DAY, 1));
    gain = Math.min(Math.max(wanted, MIN_GAIN), MAX_GAIN);
  }

  /** The share to plan with. */
  double plannedShare() {
    return asked * Math.exp(-correction);
  }

  /** The share to aim at now. */
  double shareNow() {
    double ratio = Math.log((seenBeyond + TAIL_PRIOR) / (expectedBeyond + TAIL_PRIOR));
    double quick = TAIL_WEIGHT * Math.max(Math.min(ratio, TAIL_LIMIT), -TAIL_LIMIT);
    return plannedShare() * Math.exp(-quick);
  }

  /** Sets the threshold of the tail for the distribution that now holds. */
  void watch(LogBuckets buckets, double[] distribution) {
    expectedShare = Math.min(0.25, TAIL_MULTIPLE * plannedShare());
    threshold = buckets.exceededBy(distribution, expectedShare);
  }

  static int snapshotBytes() {
    return 7 * Double.BYTES;
  }

  void write(ByteBuffer out) {
    out.putDouble(gain).putDouble(correction).putDouble(threshold).putDouble(expectedShare);
    out.putDouble(seenBeyond).putDouble(expectedBeyond).putDouble(kept);
  }

  /** Takes over what was written. */
  void read(ByteBuffer in) {
    gain = in.getDouble();
    correction = in.getDouble();
    threshold = in.getDouble();
    expectedShare = in.getDouble();
    seenBeyond = in.getDouble();
    expectedBeyond = in.getDouble();
    kept = in.getDouble();
  }

  /** Moves towards another one, which gets this share of the weight; 1 makes it the same. */
  void blend(LateShareControl other, double weight) {
    if (weight == 1) {
      // Exactly, which the sums below would not give.
      copy(other);
      return;
    }
    gain += (other.gain - gain) * weight;
    correction += (other.correction - correction) * weight;
    threshold += (other.threshold - threshold) * weight;
    expectedShare += (other.expectedShare - expectedShare) * weight;
    seenBeyond += (other.seenBeyond - seenBeyond) * weight;
    expectedBeyond += (other.expectedBeyond - expectedBeyond) * weight;
    kept += (other.kept - kept) * weight;
  }

  private void copy(LateShareControl other) {
    gain = other.gain;
    correction = other.correction;
    threshold = other.threshold;
    expectedShare = other.expectedShare;
    seenBeyond = other.seenBeyond;
    expectedBeyond = other.expectedBeyond;
    kept = other.kept;
  }
}
