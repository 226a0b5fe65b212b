package io.tidekeeper.job;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidekeeper.policy.InvalidPolicyException;
import java.util.Map;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;

class TidekeeperTest {

  @Test
  void aPolicyForASourceThatTheJobDoesNotHaveIsRefusedByName() {
    Tidekeeper tidekeeper = withPolicyForTrips();
    addSource(tidekeeper, "trams");
    assertThatThrownBy(tidekeeper::checkSources)
        .isInstanceOf(InvalidPolicyException.class)
        .hasMessageContaining("tidekeeper.source.trips")
        .hasMessageContaining("its sources are trams");
  }

  @Test
  void aPolicyForASourceOfTheJobIsAccepted() {
    Tidekeeper tidekeeper = withPolicyForTrips();
    addSource(tidekeeper, "trips");
    assertThatCode(tidekeeper::checkSources).doesNotThrowAnyException();
  }

  @Test
  void twoSourcesOfOneNameAreRefused() {
    Tidekeeper tidekeeper = withPolicyForTrips();
    addSource(tidekeeper, "trips");
    assertThatThrownBy(() -> addSource(tidekeeper, "trips"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two sources are named 'trips'");
  }

  @Test
  void aSourceWithoutTimestampsOrIdIsRefused() {
    var source = withPolicyForTrips().source(new NumberSequenceSource(1, 2), "trips");
    assertThatThrownBy(() -> source.uid("trips-source").build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("'trips' needs both timestamps(...) and uid(...)");
  }

  @Test
  void carriedWatermarksNeedCodeThatFindsThem() {
    Tidekeeper tidekeeper =
        Tidekeeper.from(
            StreamExecutionEnvironment.getExecutionEnvironment(
                Configuration.fromMap(Map.of("tidekeeper.default.watermark.type", "Punctuated"))));
    assertThatThrownBy(() -> addSource(tidekeeper, "trips"))
        .isInstanceOf(InvalidPolicyException.class)
        .hasMessageContaining("tidekeeper.source.trips.watermark.type = 'Punctuated'")
        .hasMessageContaining("watermarks(...)");
    assertThatCode(
            () ->
                tidekeeper
                    .source(new NumberSequenceSource(1, 2), "numbers")
                    .timestamps(number -> number)
                    .watermarks(number -> number - 1)
                    .uid("numbers-source")
                    .build())
        .doesNotThrowAnyException();
  }

  private static void addSource(Tidekeeper tidekeeper, String name) {
    tidekeeper
        .source(new NumberSequenceSource(1, 2), name)
        .timestamps(number -> number)
        .uid(name + "-source")
        .build();
  }

  private static Tidekeeper withPolicyForTrips() {
    return Tidekeeper.from(
        StreamExecutionEnvironment.getExecutionEnvironment(
            Configuration.fromMap(
                Map.of(
                    "tidekeeper.default.watermark.type",
                    "Monotonous",
                    "tidekeeper.source.trips.watermark.type",
                    "None"))));
  }
}
