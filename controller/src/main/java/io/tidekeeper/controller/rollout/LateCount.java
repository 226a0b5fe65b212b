package io.tidekeeper.controller.rollout;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Late records among all.
 *
 * @param records all records
 * @param late those that came after the watermark
 */
public record LateCount(long records, long late) {

  /** Fewer records than this prove nothing. */
  static final long SMALLEST_SAMPLE = 1_000;

  boolean isSample() {
    return records >= SMALLEST_SAMPLE;
  }

  /**
   * What was counted since an earlier reading. Counters that are lower than they were have started
   * anew with the job; then all that they show was counted since.
   */
  LateCount since(LateCount earlier) {
    long newRecords = records - earlier.records;
    long newLate = late - earlier.late;
    boolean anew = newRecords < 0 || newLate < 0 || newLate > newRecords;
    return anew ? this : new LateCount(newRecords, newLate);
  }

  boolean isHigherShareThan(LateCount other) {
    BigDecimal ours = BigDecimal.valueOf(late).multiply(BigDecimal.valueOf(other.records));
    return ours.compareTo(BigDecimal.valueOf(other.late).multiply(BigDecimal.valueOf(records))) > 0;
  }

  @Override
  public String toString() {
    String share =
        records == 0
            ? "0"
            : BigDecimal.valueOf(late)
                .multiply(BigDecimal.valueOf(100))
                .divide(BigDecimal.valueOf(records), 2, RoundingMode.HALF_UP)
                .toPlainString();
    return share + "% (" + late + " of " + records + ")";
  }
}
