package io.tidekeeper.job.late;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * Writes a rejected record as it came, with the reason and its origin in headers (UTF-8 texts):
 * {@code tidekeeper.reason}, {@code .topic}, {@code .partition}, {@code .offset}, {@code
 * .lateness-ms}, and where known {@code .detail} and {@code .watermark}.
 */
public final class RejectedSerializer implements KafkaRecordSerializationSchema<RejectedRecord> {

  private static final long serialVersionUID = 1L;

  private final String topic;

  /**
   * @param topic where the records go
   */
  public RejectedSerializer(String topic) {
    this.topic = topic;
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      RejectedRecord record, KafkaSinkContext context, Long timestamp) {
    List<Header> headers = new ArrayList<>();
    add(headers, "reason", record.reason.header());
    add(headers, "detail", record.detail);
    add(headers, "topic", record.topic);
    add(headers, "partition", String.valueOf(record.partition));
    add(headers, "offset", String.valueOf(record.offset));
    add(headers, "lateness-ms", String.valueOf(record.latenessMillis));
    if (record.watermark != Long.MIN_VALUE) {
      add(headers, "watermark", String.valueOf(record.watermark));
    }
    // The record's own event time may be absurd; the broker's clock stamps it.
    return new ProducerRecord<>(topic, null, null, record.key, record.value, headers);
  }

  private static void add(List<Header> headers, String name, @Nullable String value) {
    if (value != null) {
      headers.add(new RecordHeader("tidekeeper." + name, value.getBytes(UTF_8)));
    }
  }
}
