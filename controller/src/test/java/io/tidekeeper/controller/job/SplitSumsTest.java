package io.tidekeeper.controller.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.controller.rollout.JobReading.SourceSubtask;
import io.tidekeeper.controller.rollout.LateCount;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SplitSumsTest {

  private static final String ACTIVE = "0";
  private static final String IDLE = "1";
  private static final String FINISHED = "3";
  private static final String SKIPPED = "4";
  private static final String NONE = String.valueOf(Long.MIN_VALUE);

  private final Map<String, String> values = new HashMap<>();

  @Test
  void recordsOfAllSplitsAreSummed() {
    split("0.Source__trips", "a-0", "10", "1", "100", ACTIVE);
    split("1.Source__trips", "a-1", "20", "2", "200", ACTIVE);

    assertThat(sums().late()).isEqualTo(new LateCount(30, 3));
  }

  @Test
  void theLowestWatermarkOfThoseThatCountDecides() {
    split("0.Source__trips", "a-0", "1", "0", "300", ACTIVE);
    split("1.Source__trips", "a-1", "1", "0", "200", ACTIVE);
    split("1.Source__trips", "a-2", "1", "0", "100", IDLE);
    split("1.Source__trips", "a-3", "1", "0", "50", FINISHED);
    split("1.Source__trips", "a-4", "1", "0", "20", SKIPPED);

    assertThat(sums().lowestWatermark()).isEqualTo(200);
  }

  @Test
  void aSplitThatCountsAndHasEmittedNoneHoldsAllBack() {
    split("0.Source__trips", "a-0", "1", "0", "300", ACTIVE);
    split("1.Source__trips", "a-1", "0", "0", NONE, ACTIVE);

    assertThat(sums().lowestWatermark()).isNull();
  }

  @Test
  void whenAllAreIdleTheHighestDecides() {
    split("0.Source__trips", "a-0", "1", "0", "300", IDLE);
    split("1.Source__trips", "a-1", "0", "0", NONE, IDLE);

    assertThat(sums().lowestWatermark()).isEqualTo(300);
  }

  @Test
  void withoutSplitsThereIsNothing() {
    assertThat(sums().late()).isEqualTo(new LateCount(0, 0));
    assertThat(sums().lowestWatermark()).isNull();
  }

  @Test
  void everySubtaskOfEverySourceIsThereEvenOneThatSaysNothing() {
    SourceVertex vertex = new SourceVertex("id", "Source: trips -> observe -> accept", 2);
    values.put("0.Source__trips.tidekeeper.revision", "7");
    values.put("0.Source__trips.tidekeeper.policyFormat", "1");

    assertThat(vertex.subtasks(values))
        .containsExactly(
            new SourceSubtask("trips", 0, 7L, 1), new SourceSubtask("trips", 1, null, null));
    assertThat(vertex.subtasks(Map.of()))
        .extracting(SourceSubtask::source)
        .containsExactly("Source: trips", "Source: trips");
  }

  @Test
  void aSubtaskFlinkHasNoMetricsOfIsNotTakenForOneThatExportsNone() {
    SourceVertex vertex = new SourceVertex("id", "Source: trips", 2);

    assertThat(vertex.unheard(List.of("0.numRecordsOut"))).isEqualTo(1);
    assertThat(vertex.unheard(List.of("0.numRecordsOut", "1.numRecordsOut"))).isNull();
    assertThat(vertex.unheard(List.of("0.numRecordsOut", "10.numRecordsOut"))).isEqualTo(1);
  }

  private SplitSums sums() {
    SplitSums sums = new SplitSums();
    sums.add(values);
    return sums;
  }

  private void split(
      String operator, String split, String records, String late, String watermark, String state) {
    String prefix = operator + ".tidekeeper.split." + split + ".";
    values.put(prefix + "records", records);
    values.put(prefix + "lateRecords", late);
    values.put(prefix + "watermark", watermark);
    values.put(prefix + "state", state);
  }
}
