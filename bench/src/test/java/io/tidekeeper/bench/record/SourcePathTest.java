package io.tidekeeper.bench.record;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A benchmark of something that does nothing would be fast. */
class SourcePathTest {

  @ParameterizedTest
  @EnumSource(Contender.class)
  void everyRecordPassesAndAWatermarkComes(Contender contender) throws Exception {
    Sink sink = new Sink();
    try (SourcePath path = SourcePath.of(contender, 4, Readings.of(7), sink)) {
      path.round();
      path.round();
    }
    assertThat(sink.records()).isEqualTo(2L * Readings.COUNT);
    assertThat(sink.watermark()).isNotEqualTo(Long.MIN_VALUE);
  }

  @ParameterizedTest
  @EnumSource(names = {"FLINK", "BOUNDED", "SCHEDULE"})
  void theWatermarkIsFiveSecondsBehindTheNewest(Contender contender) throws Exception {
    Reading[] readings = Readings.of(7);
    Sink sink = new Sink();
    try (SourcePath path = SourcePath.of(contender, 1, readings, sink)) {
      path.round();
      path.round();
    }
    long newest = Long.MIN_VALUE;
    for (Reading reading : readings) {
      newest = Math.max(newest, reading.time() + Readings.COUNT);
    }
    assertThat(sink.watermark()).isEqualTo(newest - 5_000 - 1);
  }
}
