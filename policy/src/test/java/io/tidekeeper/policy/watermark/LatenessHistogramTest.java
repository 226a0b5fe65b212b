package io.tidekeeper.policy.watermark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LatenessHistogramTest {

  @Test
  void countsEachLatenessInTheFirstBucketWhoseBoundHoldsIt() {
    for (long lateness : latenesses()) {
      LatenessHistogram histogram = new LatenessHistogram();

      histogram.record(lateness);

      int bucket = firstThatHolds(lateness);
      assertThat(histogram.cumulative(bucket)).as("lateness %d", lateness).isOne();
      if (bucket > 0) {
        assertThat(histogram.cumulative(bucket - 1)).as("lateness %d", lateness).isZero();
      }
    }
  }

  private static int firstThatHolds(long lateness) {
    int bucket = 0;
    while (lateness > LatenessHistogram.bound(bucket)) {
      bucket++;
    }
    return bucket;
  }

  /** On, just below and just above every bound and every power of two, and random ones. */
  private static List<Long> latenesses() {
    List<Long> edges = new ArrayList<>(List.of(0L, Long.MAX_VALUE));
    for (int bucket = 0; bucket < LatenessHistogram.buckets(); bucket++) {
      edges.add(LatenessHistogram.bound(bucket));
    }
    for (int digits = 0; digits < Long.SIZE - 1; digits++) {
      edges.add(1L << digits);
    }
    List<Long> all = new ArrayList<>();
    for (long edge : edges) {
      all.add(edge);
      all.add(Math.max(0, edge - 1));
      all.add(edge == Long.MAX_VALUE ? edge : edge + 1);
    }
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 10_000; i++) {
      all.add(random.nextLong(Long.MAX_VALUE) >>> random.nextInt(Long.SIZE - 1));
    }
    return all;
  }
}
