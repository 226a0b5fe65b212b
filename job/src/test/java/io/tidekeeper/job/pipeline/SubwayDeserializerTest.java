package io.tidekeeper.job.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.job.watermark.CarriedWatermark;
import io.tidekeeper.job.watermark.EventTime;
import io.tidekeeper.job.watermark.ReferenceTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubwayDeserializerTest {

  @Test
  void aGoodRecordKeepsItsOriginAndBytes() {
    String json = "{\"id\":1,\"station\":\"S017\",\"passengers\":3,\"time\":1715731200000}";
    SubwayRecord record = read(json, TimestampType.CREATE_TIME);
    assertThat(record.problem).isNull();
    assertThat(record.station).isEqualTo("S017");
    assertThat(record.passengers).isEqualTo(3);
    assertThat(record.eventTime).isEqualTo(1715731200000L);
    assertThat(record.topic).isEqualTo("trips");
    assertThat(record.partition).isEqualTo(2);
    assertThat(record.offset).isEqualTo(42);
    assertThat(record.value).isEqualTo(json.getBytes(UTF_8));
  }

  @Test
  void onlyTheBrokersOwnTimeIsAReferenceForRecordsFromTheFuture() {
    String json = "{\"station\":\"S017\",\"passengers\":3,\"time\":1715731200000}";
    assertThat(read(json, TimestampType.LOG_APPEND_TIME).brokerTime).isEqualTo(777);
    assertThat(read(json, TimestampType.CREATE_TIME).brokerTime)
        .isEqualTo(ReferenceTime.WALL_CLOCK);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"station\":                                                       | not JSON",
        "17                                                                  | not a JSON object",
        "{\"station\":\"S1\",\"passengers\":1}                               | time must be",
        "{\"station\":\"S1\",\"passengers\":1,\"time\":\"noon\"}             | but is \"noon\"",
        "{\"station\":\"S1\",\"passengers\":1,\"time\":-5}                   | but is -5",
        "{\"station\":\"S1\",\"passengers\":1,\"time\":253402300800000}      | year 9999",
        "{\"station\":\"S1\",\"passengers\":1,\"time\":99999999999999999999} | year 9999",
        "{\"station\":\"S1\",\"passengers\":1,\"time\":1.5}                  | but is 1.5",
        "{\"passengers\":1,\"time\":1715731200000}                           | station must be",
        "{\"station\":\"\",\"passengers\":1,\"time\":1715731200000}          | station must be",
        "{\"station\":\"S1\",\"passengers\":-1,\"time\":1715731200000}       | passengers must be",
        "{\"station\":\"S1\",\"time\":1715731200000}                         | but is missing"
      })
  void aBadRecordSaysWhatIsWrongAndHasNoTimestamp(String json, String reason) {
    SubwayRecord record = read(json, TimestampType.CREATE_TIME);
    assertThat(record.problem).contains(reason);
    assertThat(record.eventTime).isEqualTo(EventTime.NONE);
    assertThat(record.value).isEqualTo(json.getBytes(UTF_8));
  }

  @Test
  void aRecordWithoutValueIsMalformed() {
    assertThat(read(null, TimestampType.CREATE_TIME).problem).isEqualTo("no value");
  }

  @Test
  void aCarriedWatermarkIsReadFromItsFieldOnly() {
    String json = "{\"station\":\"S1\",\"passengers\":1,\"time\":2000,\"wm\":1000}";
    TimestampType type = TimestampType.CREATE_TIME;
    assertThat(read(json, type).watermark).isEqualTo(CarriedWatermark.NONE);
    assertThat(read(json, type, "other").watermark).isEqualTo(CarriedWatermark.NONE);
    assertThat(read(json, type, "wm").watermark).isEqualTo(1000);
    assertThat(read(json.replace("1000", "\"x\""), type, "wm").problem).contains("wm must be");
  }

  private static SubwayRecord read(@Nullable String json, TimestampType type) {
    return read(json, type, null);
  }

  private static SubwayRecord read(
      @Nullable String json, TimestampType type, @Nullable String watermarkField) {
    List<SubwayRecord> out = new ArrayList<>();
    new SubwayDeserializer(watermarkField)
        .deserialize(
            new ConsumerRecord<>(
                "trips",
                2,
                42,
                777,
                type,
                0,
                0,
                "S017".getBytes(UTF_8),
                json == null ? null : json.getBytes(UTF_8),
                new RecordHeaders(),
                Optional.empty()),
            new Collector<>() {
              @Override
              public void collect(SubwayRecord record) {
                out.add(record);
              }

              @Override
              public void close() {}
            });
    assertThat(out).hasSize(1);
    return out.get(0);
  }
}
