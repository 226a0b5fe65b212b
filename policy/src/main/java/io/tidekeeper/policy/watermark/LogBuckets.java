package io.tidekeeper.policy.watermark;

/**
 * Buckets for distances in milliseconds whose edges grow geometrically: bucket 0 holds 0, bucket k
 * what is above edge k - 1 and up to edge k, and the last one everything beyond as well.
 */
final class LogBuckets {

  private final double[] edges;

  /**
   * @param count how many there are
   * @param growth ratio of an edge to the one before
   */
  LogBuckets(int count, double growth) {
    edges = new double[count];
    for (int bucket = 1; bucket < count; bucket++) {
      edges[bucket] = Math.exp(Math.log(growth) * bucket);
    }
  }

  int count() {
    return edges.length;
  }

  double edge(int bucket) {
    return edges[bucket];
  }

  int bucketOf(long distance) {
    int low = 0;
    int high = edges.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (distance <= edges[middle]) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /**
   * The distance that a share of a distribution exceeds, linear inside its bucket.
   *
   * @param distribution shares by bucket
   * @param share what may lie beyond
   */
  double exceededBy(double[] distribution, double share) {
    double beyond = 0;
    int bucket = edges.length - 1;
    while (bucket > 0 && beyond + distribution[bucket] <= share) {
      beyond += distribution[bucket];
      bucket--;
    }
    double low = bucket > 0 ? edges[bucket - 1] : 0;
    double high = edges[bucket];
    double part = distribution[bucket] > 0 ? (share - beyond) / distribution[bucket] : 0;
    return high - (high - low) * Math.min(Math.max(part, 0), 1);
  }
}
