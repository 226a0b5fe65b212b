package io.tidekeeper.job.align;

/** What a split is doing, as its {@code state} metric reports it. */
public enum SplitState {
  /** It counts towards the watermark. */
  ACTIVE(0),
  /** It has been silent for its idle timeout and does not count towards the watermark. */
  IDLE(1),
  /** It leads too far, and alignment does not read it for the moment. */
  PAUSED(2),
  /** All of it has been read; it never speaks again. */
  FINISHED(3),
  /** It is too far behind and does not count towards the watermark; its records are read. */
  SKIPPED(4);

  private final int code;

  SplitState(int code) {
    this.code = code;
  }

  /** The number that the metric shows; never changes its meaning between versions. */
  public int code() {
    return code;
  }
}
