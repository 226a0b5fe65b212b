package io.tidekeeper.sandbox.account;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** The formats of the job's output topics, as their readers know them. */
final class OutputRecords {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String HEADER = "tidekeeper.";

  private OutputRecords() {}

  static ResultRecord result(ConsumerRecord<byte[], byte[]> record) {
    String key = record.key() == null ? "" : new String(record.key(), UTF_8);
    try {
      JsonNode value = MAPPER.readTree(record.value());
      String station = value.required("station").asText();
      if (!station.equals(key)) {
        throw new IllegalStateException(
            "%s has key '%s' and station '%s'".formatted(place(record), key, station));
      }
      return new ResultRecord(
          station,
          number(value, "windowStart"),
          number(value, "windowEnd"),
          number(value, "count"),
          number(value, "passengers"));
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalStateException(
          "%s is not a result: %s".formatted(place(record), text(record)), e);
    }
  }

  static RoutedRecord routed(ConsumerRecord<byte[], byte[]> record) {
    return new RoutedRecord(
        record.partition(),
        record.offset(),
        header(record, "reason"),
        Math.toIntExact(numberHeader(record, "partition")),
        numberHeader(record, "offset"),
        record.headers().lastHeader(HEADER + "lateness-ms") == null
            ? 0
            : numberHeader(record, "lateness-ms"),
        id(record.value()));
  }

  /** The id in a value, or -1 where the value cannot be read. */
  private static long id(byte[] value) {
    try {
      return MAPPER.readTree(value).path("id").asLong(-1);
    } catch (IOException e) {
      return -1;
    }
  }

  private static long number(JsonNode value, String field) {
    JsonNode number = value.required(field);
    if (!number.isIntegralNumber()) {
      throw new IllegalArgumentException("%s is %s".formatted(field, number));
    }
    return number.asLong();
  }

  private static long numberHeader(ConsumerRecord<byte[], byte[]> record, String name) {
    String text = header(record, name);
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalStateException(
          "%s has a header %s%s that is no number: '%s'"
              .formatted(place(record), HEADER, name, text),
          e);
    }
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(HEADER + name);
    if (header == null || header.value() == null) {
      throw new IllegalStateException(
          "%s has no header %s%s".formatted(place(record), HEADER, name));
    }
    return new String(header.value(), UTF_8);
  }

  private static String text(ConsumerRecord<byte[], byte[]> record) {
    return record.value() == null ? "nothing" : new String(record.value(), UTF_8);
  }

  private static String place(ConsumerRecord<byte[], byte[]> record) {
    return "record %s-%d@%d".formatted(record.topic(), record.partition(), record.offset());
  }
}
