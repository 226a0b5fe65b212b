package io.tidekeeper.policy.watermark;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class EventTimeSchedulePropertiesTest {

  private static final long ANY_NOW = 0;

  @Property(tries = 600)
  void theWatermarkIsTheOneOfTheDefinition(
      @ForAll(supplier = Schedules.class) Schedules.Case given) {
    NaiveSchedule naive = new NaiveSchedule(given.schedule());
    WatermarkBound bound = WatermarkBound.of(given.schedule(), null);
    for (long maxEventTime : given.maxEventTimes()) {
      assertThat(bound.watermark(maxEventTime, ANY_NOW)).isEqualTo(naive.watermark(maxEventTime));
    }
  }

  @Property(tries = 300)
  void theValueInForceIsThatOfTheFirstAwaitedInstant(
      @ForAll(supplier = Schedules.class) Schedules.Case given) {
    NaiveSchedule naive = new NaiveSchedule(given.schedule());
    WatermarkBound bound = WatermarkBound.of(given.schedule(), null);
    for (long maxEventTime : given.maxEventTimes()) {
      long firstAwaited = naive.watermark(maxEventTime) + 1;
      assertThat(bound.outOfOrderness(maxEventTime, ANY_NOW))
          .isEqualTo(naive.valueAt(firstAwaited));
    }
  }

  @Property(tries = 300)
  void theWatermarkRisesWithTheNewestRecord(
      @ForAll(supplier = Schedules.class) Schedules.Case given) {
    WatermarkBound bound = WatermarkBound.of(given.schedule(), null);
    long last = Long.MIN_VALUE;
    for (long maxEventTime : given.maxEventTimes().stream().sorted().toList()) {
      long watermark = bound.watermark(maxEventTime, ANY_NOW);
      assertThat(watermark).isGreaterThanOrEqualTo(last).isLessThan(maxEventTime);
      last = watermark;
    }
  }
}
