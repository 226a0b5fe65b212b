package io.tidekeeper.sandbox.account;

/** So many records with so many passengers. */
record Tally(long count, long passengers) {
  static final Tally NONE = new Tally(0, 0);

  static Tally one(int passengers) {
    return new Tally(1, passengers);
  }

  Tally plus(Tally other) {
    return new Tally(count + other.count, passengers + other.passengers);
  }

  Tally minus(Tally other) {
    return new Tally(count - other.count, passengers - other.passengers);
  }

  @Override
  public String toString() {
    return "%d records, %d passengers".formatted(count, passengers);
  }
}
