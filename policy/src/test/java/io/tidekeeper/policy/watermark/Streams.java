package io.tidekeeper.policy.watermark;

import io.tidekeeper.policy.Adaptive;
import io.tidekeeper.policy.Bounded;
import io.tidekeeper.policy.LateDataSettings;
import io.tidekeeper.policy.LateShareOver;
import io.tidekeeper.policy.Monotonous;
import io.tidekeeper.policy.OutOfOrderness;
import io.tidekeeper.policy.Punctuated;
import io.tidekeeper.policy.Quantile;
import io.tidekeeper.policy.Share;
import io.tidekeeper.policy.SourceSettings;
import io.tidekeeper.policy.Throughput;
import io.tidekeeper.policy.ThroughputTier;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.jspecify.annotations.Nullable;

/** Random streams and strategies. */
final class Streams {

  static final long START = 1_715_000_000_000L;

  private Streams() {}

  /**
   * A record.
   *
   * @param carried the watermark in it, or {@link PartitionTracker#NO_WATERMARK}
   */
  record Event(int partition, long time, long arrival, long carried) {}

  /** Streams with lateness of very different size, gaps, ties and a few clocks ahead. */
  static Arbitrary<List<Event>> streams() {
    return Combinators.combine(
            Arbitraries.longs(),
            Arbitraries.integers().between(0, 3000),
            Arbitraries.integers().between(1, 4),
            Arbitraries.of(20, 1000, 60_000),
            Arbitraries.of(500, 20_000, 5_000_000))
        .as(Streams::stream);
  }

  static List<Event> stream(long seed, int records, int partitions, int step, int delay) {
    Random random = new Random(seed);
    List<Event> events = new ArrayList<>();
    long now = START;
    for (int i = 0; i < records; i++) {
      now += random.nextInt(step) + (random.nextInt(500) == 0 ? 3_600_000L : 0);
      double tail = random.nextDouble();
      long late = (long) (random.nextInt(delay) * tail * tail * tail);
      long time = now - late;
      if (random.nextInt(200) == 0) {
        time = now + 7_200_000;
      }
      long carried = random.nextInt(10) == 0 ? now - delay : PartitionTracker.NO_WATERMARK;
      events.add(new Event(random.nextInt(partitions), time, now, carried));
    }
    return events;
  }

  static Arbitrary<OutOfOrderness> strategies() {
    return Arbitraries.of(
        new Bounded(Duration.ofSeconds(5)),
        new Monotonous(),
        new Punctuated("watermark"),
        throughput(),
        quantile(100),
        adaptive("1%", LateShareOver.WholeStream),
        adaptive("5%", LateShareOver.EachHour));
  }

  static Throughput throughput() {
    return new Throughput(
        Duration.ofSeconds(10),
        List.of(
            new ThroughputTier(0, Duration.ofSeconds(5)),
            new ThroughputTier(1, Duration.ofSeconds(30)),
            new ThroughputTier(40, Duration.ofSeconds(60))));
  }

  static Quantile quantile(int minSamples) {
    return new Quantile(
        Share.parse("99%"),
        new BigDecimal("1.5"),
        Duration.ofMillis(200),
        Duration.ofMinutes(30),
        Duration.ofMinutes(10),
        minSamples);
  }

  static Adaptive adaptive(String lateShare, LateShareOver over) {
    return new Adaptive(
        Share.parse(lateShare),
        Duration.ofMillis(100),
        Duration.ofHours(2),
        Duration.ofMinutes(1),
        over);
  }

  static SourceSettings settings(OutOfOrderness strategy, @Nullable Duration cap) {
    return new SourceSettings(
        strategy,
        SourceSettings.DEFAULT_EMIT_INTERVAL,
        cap,
        Duration.ofHours(1),
        null,
        null,
        new LateDataSettings(Duration.ZERO, null));
  }
}
