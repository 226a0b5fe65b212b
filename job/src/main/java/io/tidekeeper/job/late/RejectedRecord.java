package io.tidekeeper.job.late;

import org.jspecify.annotations.Nullable;

/** A record that no result contains, as it came from Kafka, with the reason. A Flink POJO. */
public final class RejectedRecord {

  /** Why a record is in no result. */
  public enum Reason {
    /** All its windows had fired. */
    LATE("late"),
    /** It could not be read. */
    MALFORMED("malformed"),
    /** Its event time lies further ahead than {@code max-future-skew} allows. */
    FUTURE("future");

    private final String header;

    Reason(String header) {
      this.header = header;
    }

    /** The value of the header {@code tidekeeper.reason}. */
    public String header() {
      return header;
    }
  }

  /** Why it is in no result. */
  public Reason reason = Reason.LATE;

  /** What exactly is wrong with it; null where the reason says all. */
  public @Nullable String detail;

  /** The topic it came from. */
  public String topic = "";

  /** The partition it came from. */
  public int partition;

  /** Its offset in that partition. */
  public long offset;

  /** How far it lay behind the newest record of its partition on arrival, milliseconds. */
  public long latenessMillis;

  /**
   * The watermark that made it late, milliseconds since the epoch; {@code Long.MIN_VALUE} for none.
   */
  public long watermark = Long.MIN_VALUE;

  /** The key as it came. */
  public byte @Nullable [] key;

  /** The value as it came. */
  public byte @Nullable [] value;
}
