package io.tidekeeper.policy.watermark;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.tidekeeper.policy.Bounded;
import io.tidekeeper.policy.LateDataSettings;
import io.tidekeeper.policy.LateShareOver;
import io.tidekeeper.policy.OutOfOrderness;
import io.tidekeeper.policy.Punctuated;
import io.tidekeeper.policy.Schedule;
import io.tidekeeper.policy.ScheduleClock;
import io.tidekeeper.policy.ScheduleWindow;
import io.tidekeeper.policy.SourceSettings;
import java.lang.management.ManagementFactory;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AllocationTest {

  private static final int RECORDS = 200_000;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  static Stream<OutOfOrderness> strategies() {
    ScheduleWindow window =
        new ScheduleWindow(
            EnumSet.allOf(DayOfWeek.class),
            LocalTime.of(0, 10),
            LocalTime.of(1, 0),
            Duration.ofSeconds(30));
    Duration otherwise = Duration.ofSeconds(5);
    return Stream.concat(
        Stream.of(
            new Bounded(otherwise),
            new Punctuated("watermark"),
            Streams.throughput(),
            Streams.quantile(100),
            Streams.adaptive("1%", LateShareOver.WholeStream)),
        Stream.of(ScheduleClock.values())
            .map(clock -> new Schedule(ZoneId.of("UTC"), clock, otherwise, List.of(window))));
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void recordsAllocateNothing(OutOfOrderness strategy) {
    PartitionTracker tracker =
        new PartitionTracker(
            new SourceSettings(
                strategy,
                SourceSettings.DEFAULT_EMIT_INTERVAL,
                null,
                Duration.ofMinutes(5),
                null,
                null,
                new LateDataSettings(Duration.ZERO, null)));
    long day = Duration.ofDays(20_000).toMillis();
    feed(tracker, day + 60_000, 1000);
    long before = THREADS.getCurrentThreadAllocatedBytes();
    // Three hours of one day, across both edges of the window.
    feed(tracker, day + 120_000, RECORDS);
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    assertThat(tracker.maxLateness()).isPositive();
    assertThat(allocated).isLessThan(RECORDS / 10);
  }

  private static void feed(PartitionTracker tracker, long start, int records) {
    for (int i = 0; i < records; i++) {
      long time = start + i * 50L;
      tracker.onRecord(i % 3 == 0 ? time - 4_000 : time, time);
      tracker.advance(time);
    }
  }
}
