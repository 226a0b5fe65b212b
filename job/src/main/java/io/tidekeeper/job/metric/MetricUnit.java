package io.tidekeeper.job.metric;

/** What a metric's number stands for. */
public enum MetricUnit {
  /** A length of time. */
  MILLISECONDS("ms"),
  /** A point in time; {@code Long.MIN_VALUE} stands for none. */
  EPOCH_MILLISECONDS("ms since 1970"),
  /** How many records. */
  RECORDS("records"),
  /** Records per second of event time. */
  RECORDS_PER_SECOND("records/s"),
  /** How many of what the meaning says. */
  COUNT("count"),
  /** A revision or a version. */
  NUMBER("number"),
  /** A number that stands for a word; the meaning has the list. */
  CODE("code");

  private final String symbol;

  MetricUnit(String symbol) {
    this.symbol = symbol;
  }

  /** How tables show it. */
  public String symbol() {
    return symbol;
  }
}
