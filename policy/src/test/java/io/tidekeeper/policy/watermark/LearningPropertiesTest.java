package io.tidekeeper.policy.watermark;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.policy.Adaptive;
import io.tidekeeper.policy.Bounded;
import io.tidekeeper.policy.LateShareOver;
import io.tidekeeper.policy.OutOfOrderness;
import io.tidekeeper.policy.Punctuated;
import io.tidekeeper.policy.Quantile;
import io.tidekeeper.policy.SourceSettings;
import io.tidekeeper.policy.watermark.Streams.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** What holds for every strategy on any stream. */
class LearningPropertiesTest {

  private static final int PARTITIONS = 4;

  @Provide
  Arbitrary<List<Event>> streams() {
    return Streams.streams();
  }

  @Provide
  Arbitrary<OutOfOrderness> strategies() {
    return Streams.strategies();
  }

  @Property(tries = 150)
  void watermarksNeverRegressAndStayBehindTheNewestRecord(
      @ForAll("strategies") OutOfOrderness strategy, @ForAll("streams") List<Event> stream) {
    Subtask subtask = new Subtask(Streams.settings(strategy, null), new SourceLearning());
    long[] before = new long[PARTITIONS];
    Arrays.fill(before, Long.MIN_VALUE);
    for (Event event : stream) {
      PartitionTracker tracker = subtask.feed(event);
      long watermark = tracker.advance(event.arrival());
      assertThat(watermark).isGreaterThanOrEqualTo(before[event.partition()]);
      if (!(strategy instanceof Punctuated)) {
        assertThat(watermark == Long.MIN_VALUE || watermark < tracker.maxEventTime()).isTrue();
      }
      assertThat(tracker.outOfOrderness()).isNotNegative();
      before[event.partition()] = watermark;
    }
  }

  @Property(tries = 60)
  void aReplayGivesTheSameWatermarks(
      @ForAll("strategies") OutOfOrderness strategy, @ForAll("streams") List<Event> stream) {
    SourceSettings settings = Streams.settings(strategy, Duration.ofMinutes(20));
    List<Long> once = watermarks(new Subtask(settings, new SourceLearning()), stream);
    assertThat(watermarks(new Subtask(settings, new SourceLearning()), stream)).isEqualTo(once);
  }

  @Property(tries = 100)
  void whatIsLearnedStaysWithinItsLimitsAndTheCap(@ForAll("streams") List<Event> stream) {
    Duration cap = Duration.ofSeconds(30);
    for (OutOfOrderness strategy :
        List.of(
            Streams.quantile(10),
            Streams.throughput(),
            Streams.adaptive("1%", LateShareOver.WholeStream))) {
      Subtask capped = new Subtask(Streams.settings(strategy, cap), new SourceLearning());
      for (Event event : stream) {
        assertThat(capped.feed(event).outOfOrderness(0)).isLessThanOrEqualTo(cap.toMillis());
      }
      Subtask free = new Subtask(Streams.settings(strategy, null), new SourceLearning());
      for (Event event : stream) {
        long value = free.feed(event).outOfOrderness(0);
        if (strategy instanceof Quantile quantile) {
          assertThat(value).isBetween(quantile.min().toMillis(), quantile.max().toMillis());
        } else if (strategy instanceof Adaptive adaptive) {
          assertThat(value).isBetween(adaptive.min().toMillis(), adaptive.max().toMillis());
        }
      }
    }
  }

  /** Records judged to be from the future change nothing, as if they had not been there. */
  @Property(tries = 60)
  void theFutureIsNotLearned(
      @ForAll("strategies") OutOfOrderness strategy, @ForAll("streams") List<Event> stream) {
    SourceSettings settings = Streams.settings(strategy, null);
    List<Event> without =
        stream.stream().filter(event -> event.time() <= event.arrival() + 3_600_000).toList();
    Subtask all = new Subtask(settings, new SourceLearning());
    Subtask past = new Subtask(settings, new SourceLearning());
    watermarks(all, stream);
    watermarks(past, without);
    past.trackers.forEach(
        (partition, tracker) ->
            assertThat(all.tracker(partition).watermark()).isEqualTo(tracker.watermark()));
  }

  /** A change of settings at any moment, to any strategy and back, never takes a watermark back. */
  @Property(tries = 60)
  void aLiveChangeNeverRegresses(
      @ForAll("strategies") OutOfOrderness one,
      @ForAll("strategies") OutOfOrderness other,
      @ForAll("streams") List<Event> stream) {
    Subtask subtask = new Subtask(Streams.settings(one, null), new SourceLearning());
    Map<Integer, Long> before = new LinkedHashMap<>();
    int count = 0;
    for (Event event : stream) {
      if (++count % 500 == 0) {
        subtask.change(Streams.settings(count % 1000 == 0 ? one : other, null));
      }
      long watermark = subtask.feed(event).advance(0);
      assertThat(watermark)
          .isGreaterThanOrEqualTo(before.getOrDefault(event.partition(), Long.MIN_VALUE));
      before.put(event.partition(), watermark);
    }
  }

  /**
   * Against the definition: the quantile of the lateness in the window, recomputed from scratch.
   */
  @Property(tries = 60)
  void theQuantileIsThatOfTheWindow(@ForAll("streams") List<Event> stream) {
    Quantile strategy = Streams.quantile(50);
    Subtask subtask = new Subtask(Streams.settings(strategy, null), new SourceLearning());
    NaiveQuantile naive = new NaiveQuantile(strategy);
    PartitionTracker tracker = null;
    for (Event event : stream) {
      // One partition, so that its front is the source's.
      Event only = new Event(0, event.time(), event.arrival(), event.carried());
      tracker = subtask.feed(only);
      if (only.time() <= only.arrival() + 3_600_000) {
        naive.add(only.time(), tracker.lastLateness());
      }
      if (naive.justRefreshed()) {
        double exact = naive.value();
        // One bucket of five percent, and a millisecond for rounding up.
        assertThat((double) tracker.outOfOrderness(0)).isBetween(exact - 1, exact * 1.051 + 1);
      }
    }
  }

  @Property(tries = 40)
  void aSnapshotGoesOnWhereItWas(
      @ForAll("strategies") OutOfOrderness strategy, @ForAll("streams") List<Event> stream) {
    SourceSettings settings = Streams.settings(strategy, null);
    int half = stream.size() / 2;
    SourceLearning learning = new SourceLearning();
    Subtask whole = new Subtask(settings, learning);
    watermarks(whole, stream.subList(0, half));
    byte[] snapshot = learning.snapshot();
    assertThat(snapshot.length).isLessThanOrEqualTo(strategy instanceof Adaptive ? 16_384 : 17_408);

    SourceLearning copy = new SourceLearning();
    copy.restore(List.of(snapshot), 1);
    if (snapshot.length > 0) {
      Subtask restored = new Subtask(settings, copy);
      assertThat(restored.tracker(0).outOfOrderness(0))
          .isEqualTo(whole.tracker(0).outOfOrderness(0));
      assertThat(copy.snapshot()).isEqualTo(snapshot);
    }
  }

  private static List<Long> watermarks(Subtask subtask, List<Event> stream) {
    List<Long> watermarks = new ArrayList<>();
    for (Event event : stream) {
      watermarks.add(subtask.feed(event).advance(event.arrival()));
    }
    return watermarks;
  }

  /** The partitions of one source subtask. */
  private static final class Subtask {
    private final SourceLearning learning;
    private final Map<Integer, PartitionTracker> trackers = new LinkedHashMap<>();
    private SourceSettings settings;

    Subtask(SourceSettings settings, SourceLearning learning) {
      this.settings = settings;
      this.learning = learning;
    }

    PartitionTracker tracker(int partition) {
      return trackers.computeIfAbsent(
          partition, number -> new PartitionTracker("events-" + number, settings, learning));
    }

    PartitionTracker feed(Event event) {
      PartitionTracker tracker = tracker(event.partition());
      tracker.onRecord(event.time(), event.arrival(), event.carried());
      return tracker;
    }

    void change(SourceSettings other) {
      settings = other;
      trackers.values().forEach(tracker -> tracker.settings(other));
    }
  }

  /** Keeps every lateness and sorts. */
  private static final class NaiveQuantile {
    private final Quantile strategy;
    private final long slice;
    private final List<long[]> samples = new ArrayList<>();
    private final List<Long> recent = new ArrayList<>();
    private long front = Long.MIN_VALUE;
    private int sinceRefresh;
    private boolean refreshed;

    NaiveQuantile(Quantile strategy) {
      this.strategy = strategy;
      this.slice = strategy.window().toMillis() / 10;
    }

    void add(long time, long lateness) {
      @Nullable Long before = front == Long.MIN_VALUE ? null : Math.floorDiv(front, slice);
      if (before == null) {
        move(time);
      }
      long now = Math.floorDiv(front, slice);
      int size = samples.size();
      samples.removeIf(sample -> sample[0] <= now - 10);
      boolean entered = samples.isEmpty() || samples.get(samples.size() - 1)[0] < now;
      entered |= samples.size() < size;
      samples.add(new long[] {now, lateness});
      sinceRefresh++;
      refreshed = entered || sinceRefresh >= 32 || samples.size() == strategy.minSamples();
      if (refreshed) {
        sinceRefresh = 0;
      }
      if (before != null) {
        move(time);
      }
    }

    private void move(long time) {
      recent.add(time);
      if (recent.size() > 9) {
        recent.remove(0);
      }
      List<Long> sorted = new ArrayList<>(recent);
      Collections.sort(sorted);
      front = Math.max(front, sorted.get((sorted.size() - 1) / 2));
    }

    boolean justRefreshed() {
      return refreshed;
    }

    double value() {
      if (samples.size() < strategy.minSamples()) {
        return (double) strategy.max().toMillis();
      }
      long[] sorted = samples.stream().mapToLong(sample -> sample[1]).sorted().toArray();
      int beyond = (int) (sorted.length * (1 - strategy.level().asFraction()));
      double scaled = sorted[sorted.length - 1 - beyond] * strategy.factor().doubleValue();
      return Math.min(
          Math.max(scaled, (double) strategy.min().toMillis()), (double) strategy.max().toMillis());
    }
  }

  /** The bounded strategy is the simplest model of all. */
  @Property(tries = 60)
  void aConstantIsTheNewestRecordMinusIt(@ForAll("streams") List<Event> stream) {
    Subtask subtask =
        new Subtask(
            Streams.settings(new Bounded(Duration.ofSeconds(5)), null), new SourceLearning());
    long newest = Long.MIN_VALUE;
    for (Event event : stream) {
      Event only = new Event(0, event.time(), event.arrival(), event.carried());
      if (only.time() <= only.arrival() + 3_600_000) {
        newest = Math.max(newest, only.time());
      }
      long expected = newest == Long.MIN_VALUE ? newest : newest - 5001;
      assertThat(subtask.feed(only).advance(0)).isEqualTo(expected);
    }
  }
}
