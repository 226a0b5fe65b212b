package io.tidekeeper.policy.watermark;

/** The bound of a partition under a strategy that learns. */
abstract class LearnedBound implements WatermarkBound {

  private final SourceFront source;
  private final SourceFront.Member member;
  private final MedianFront median = new MedianFront();

  LearnedBound(SourceFront source) {
    this.source = source;
    this.member = source.join();
  }

  /** The value in force, in milliseconds. */
  abstract long value();

  /**
   * Learns from a record, before it moves the fronts.
   *
   * @param front the source's front before the record; {@link Long#MIN_VALUE} for none
   */
  abstract void learn(long timestamp, long lateness, long front);

  /** Called when the record has moved the fronts. */
  void moved() {}

  @Override
  public void onRecord(long timestamp, long lateness) {
    long before = source.value();
    if (before == Long.MIN_VALUE) {
      // The record that brings the first front is learned by that front.
      source.advance(member, median.add(timestamp));
      learn(timestamp, lateness, source.value());
    } else {
      learn(timestamp, lateness, before);
      source.advance(member, median.add(timestamp));
    }
    moved();
  }

  /** How far this partition has come; {@link Long#MIN_VALUE} before its first record. */
  final long front() {
    return median.value();
  }

  final boolean isIdle() {
    return member.isIdle();
  }

  @Override
  public long watermark(long maxEventTime, long nowMillis) {
    return Millis.minus(Millis.minus(maxEventTime, value()), 1);
  }

  @Override
  public long outOfOrderness(long maxEventTime, long nowMillis) {
    return value();
  }

  @Override
  public void idle(boolean idle) {
    source.idle(member, idle);
  }

  @Override
  public void close() {
    source.leave(member);
  }
}
