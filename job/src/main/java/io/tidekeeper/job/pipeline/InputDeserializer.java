package io.tidekeeper.job.pipeline;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidekeeper.job.watermark.EventTime;
import io.tidekeeper.job.watermark.ReferenceTime;
import java.io.IOException;
import org.apache.flink.api.common.serialization.DeserializationSchema.InitializationContext;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON records and never fails on one: what cannot be read goes on with its {@link
 * InputRecord#problem}, to be sent to the dead-letter topic.
 *
 * @param <T> records of the pipeline
 */
abstract class InputDeserializer<T extends InputRecord>
    implements KafkaRecordDeserializationSchema<T> {

  private static final long serialVersionUID = 1L;

  /** The last millisecond of the year 9999, UTC. */
  static final long MAX_TIME = 253_402_300_799_999L;

  private final @Nullable String watermarkField;
  private transient ObjectMapper json = new ObjectMapper();

  /**
   * @param watermarkField the field in which records may carry a watermark, or null: none is looked
   *     for
   */
  InputDeserializer(@Nullable String watermarkField) {
    this.watermarkField = watermarkField;
  }

  /** A fresh record without content. */
  abstract T newRecord();

  /**
   * Fills the record from its JSON object.
   *
   * @throws MalformedRecordException with a reason for the dead-letter topic
   */
  abstract void fill(T record, JsonNode value) throws MalformedRecordException;

  abstract Class<T> type();

  /** Says why a record cannot be used. */
  static final class MalformedRecordException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedRecordException(String message) {
      super(message);
    }
  }

  @Override
  public void open(InitializationContext context) {
    json = new ObjectMapper();
  }

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> kafka, Collector<T> out) {
    T record = newRecord();
    record.topic = kafka.topic();
    record.partition = kafka.partition();
    record.offset = kafka.offset();
    record.brokerTime =
        kafka.timestampType() == TimestampType.LOG_APPEND_TIME
            ? kafka.timestamp()
            : ReferenceTime.WALL_CLOCK;
    record.key = kafka.key();
    record.value = kafka.value();
    try {
      JsonNode value = parse(kafka.value());
      fill(record, value);
      if (watermarkField != null && value.has(watermarkField)) {
        record.watermark = time(value, watermarkField);
      }
      record.eventTime = time(value, "time");
    } catch (MalformedRecordException e) {
      record.problem = e.getMessage();
      record.eventTime = EventTime.NONE;
    }
    out.collect(record);
  }

  private JsonNode parse(byte[] value) throws MalformedRecordException {
    if (value == null) {
      throw new MalformedRecordException("no value");
    }
    try {
      JsonNode node = json.readTree(value);
      if (!node.isObject()) {
        throw new MalformedRecordException("not a JSON object");
      }
      return node;
    } catch (JsonProcessingException e) {
      throw new MalformedRecordException("not JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new MalformedRecordException("not readable: " + e.getMessage());
    }
  }

  static String text(JsonNode value, String field) throws MalformedRecordException {
    JsonNode node = value.path(field);
    if (!node.isTextual() || node.asText().isBlank()) {
      throw new MalformedRecordException(
          field + " must be a text that is not empty, but is " + shown(node));
    }
    return node.asText();
  }

  static int count(JsonNode value, String field) throws MalformedRecordException {
    JsonNode node = value.path(field);
    if (!node.isIntegralNumber() || !node.canConvertToInt() || node.asInt() < 0) {
      throw new MalformedRecordException(
          field + " must be a whole number from 0 on, but is " + shown(node));
    }
    return node.asInt();
  }

  private static long time(JsonNode value, String field) throws MalformedRecordException {
    JsonNode node = value.path(field);
    if (!node.isIntegralNumber()
        || !node.canConvertToLong()
        || node.asLong() <= 0
        || node.asLong() > MAX_TIME) {
      throw new MalformedRecordException(
          field
              + " must be milliseconds since the epoch, from 1 to "
              + MAX_TIME
              + " (year 9999), but is "
              + shown(node));
    }
    return node.asLong();
  }

  private static String shown(JsonNode node) {
    if (node.isMissingNode()) {
      return "missing";
    }
    String text = node.toString();
    return text.length() > 60 ? text.substring(0, 60) + "..." : text;
  }

  @Override
  public TypeInformation<T> getProducedType() {
    return TypeInformation.of(type());
  }
}
