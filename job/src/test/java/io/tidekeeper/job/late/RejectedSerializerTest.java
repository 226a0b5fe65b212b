package io.tidekeeper.job.late;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.flink.connector.kafka.sink.DefaultKafkaSinkContext;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class RejectedSerializerTest {

  @Test
  void theRecordStaysAsItCameAndTheHeadersTellWhy() {
    RejectedRecord record = new RejectedRecord();
    record.reason = RejectedRecord.Reason.LATE;
    record.topic = "trips";
    record.partition = 3;
    record.offset = 99;
    record.latenessMillis = 12_000;
    record.watermark = 1_000;
    record.key = "S1".getBytes(UTF_8);
    record.value = "{broken".getBytes(UTF_8);

    ProducerRecord<byte[], byte[]> kafka = serialize(record);
    assertThat(kafka.topic()).isEqualTo("late");
    assertThat(kafka.key()).isEqualTo(record.key);
    assertThat(kafka.value()).isEqualTo(record.value);
    assertThat(headers(kafka))
        .isEqualTo(
            Map.of(
                "tidekeeper.reason", "late",
                "tidekeeper.topic", "trips",
                "tidekeeper.partition", "3",
                "tidekeeper.offset", "99",
                "tidekeeper.lateness-ms", "12000",
                "tidekeeper.watermark", "1000"));
  }

  @Test
  void aMalformedRecordTellsItsDetailAndHasNoWatermark() {
    RejectedRecord record = new RejectedRecord();
    record.reason = RejectedRecord.Reason.MALFORMED;
    record.detail = "not JSON";
    assertThat(headers(serialize(record)))
        .containsEntry("tidekeeper.reason", "malformed")
        .containsEntry("tidekeeper.detail", "not JSON")
        .doesNotContainKey("tidekeeper.watermark");
  }

  private static ProducerRecord<byte[], byte[]> serialize(RejectedRecord record) {
    return new RejectedSerializer("late")
        .serialize(record, new DefaultKafkaSinkContext(0, 1, new Properties()), 0L);
  }

  private static Map<String, String> headers(ProducerRecord<byte[], byte[]> kafka) {
    Map<String, String> headers = new LinkedHashMap<>();
    kafka.headers().forEach(h -> headers.put(h.key(), new String(h.value(), UTF_8)));
    return headers;
  }
}
