package io.tidekeeper.policy.watermark;

/**
 * How the late records that are allowed are spread over the hours of the day so that the delay is
 * least: each hour gets the bound that minimises {@code bound + price * P(distance > bound)}, at
 * the price under which the share of all of them is kept.
 */
final class AllocationPlan {

  private static final int BISECTIONS = 24;

  private final LogBuckets buckets;
  private final double[][] mixed;
  private double price;
  private double plannedShare;
  private double tail;

  AllocationPlan(LogBuckets buckets) {
    this.buckets = buckets;
    this.mixed = new double[SeasonalHistogram.SLOTS][buckets.count()];
  }

  double price() {
    return price;
  }

  double plannedShare() {
    return plannedShare;
  }

  void set(double storedPrice, double storedShare) {
    price = storedPrice;
    plannedShare = storedShare;
  }

  /**
   * Finds the price.
   *
   * @param share the share of late records to keep
   * @param asked the share that was asked for; it limits the search only
   */
  void plan(SeasonalHistogram histogram, double share, double asked) {
    double whole = 0;
    for (int slot = 0; slot < SeasonalHistogram.SLOTS; slot++) {
      histogram.mix(slot, slot, 0, mixed[slot]);
      whole += histogram.sum(slot);
    }
    double low = 0;
    double high = Math.log(buckets.edge(buckets.count() - 1) / asked * 100);
    for (int step = 0; step < BISECTIONS; step++) {
      double middle = 0.5 * (low + high);
      double tried = Math.exp(middle);
      double late = 0;
      for (int slot = 0; slot < SeasonalHistogram.SLOTS; slot++) {
        if (histogram.sum(slot) > 0) {
          cheapest(mixed[slot], tried);
          late += histogram.sum(slot) * tail;
        }
      }
      if (late / whole > share) {
        low = middle;
      } else {
        high = middle;
      }
    }
    price = Math.exp(high);
    plannedShare = share;
  }

  /** The cheapest bound in milliseconds under the planned price, moved to another share. */
  double bound(double[] distribution, double share) {
    return buckets.edge(cheapest(distribution, price * plannedShare / share));
  }

  private int cheapest(double[] distribution, double atPrice) {
    double best = Double.MAX_VALUE;
    int cheapest = buckets.count() - 1;
    double beyond = 0;
    tail = 0;
    for (int bucket = buckets.count() - 1; bucket >= 0; bucket--) {
      double cost = buckets.edge(bucket) + atPrice * beyond;
      if (cost < best) {
        best = cost;
        cheapest = bucket;
        tail = beyond;
      }
      beyond += distribution[bucket];
    }
    return cheapest;
  }
}
