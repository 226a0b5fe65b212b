package io.tidekeeper.job.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Writes a result as JSON under its station as key. */
public final class StationCountSerializer implements KafkaRecordSerializationSchema<StationCount> {

  private static final long serialVersionUID = 1L;

  private final String topic;
  private transient ObjectMapper json = new ObjectMapper();

  /**
   * @param topic where the results go
   */
  public StationCountSerializer(String topic) {
    this.topic = topic;
  }

  @Override
  public void open(
      SerializationSchema.InitializationContext context, KafkaSinkContext sinkContext) {
    json = new ObjectMapper();
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      StationCount result, KafkaSinkContext context, Long timestamp) {
    try {
      return new ProducerRecord<>(
          topic, result.station.getBytes(UTF_8), json.writeValueAsBytes(result));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a result of four numbers and a name is always JSON", e);
    }
  }
}
