package io.tidekeeper.sandbox.plain;

import io.tidekeeper.job.pipeline.SubwayDeserializer;
import io.tidekeeper.job.pipeline.SubwayRecord;
import io.tidekeeper.job.watermark.ReferenceTime;
import java.time.Clock;
import java.util.Optional;
import org.apache.flink.api.common.serialization.DeserializationSchema.InitializationContext;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Drops what the bundled job sends to its dead-letter topic, before it can touch a watermark:
 * malformed records and those from the future.
 */
final class UsableRecords implements KafkaRecordDeserializationSchema<SubwayRecord> {

  private static final long serialVersionUID = 1L;

  private final SubwayDeserializer all = new SubwayDeserializer();
  private final long maxFutureSkewMillis;

  UsableRecords(Optional<Long> maxFutureSkewMillis) {
    this.maxFutureSkewMillis = maxFutureSkewMillis.orElse(Long.MAX_VALUE);
  }

  @Override
  public void open(InitializationContext context) {
    all.open(context);
  }

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> kafka, Collector<SubwayRecord> out) {
    all.deserialize(
        kafka,
        new Collector<>() {
          @Override
          public void collect(SubwayRecord record) {
            if (record.problem == null && !isFromTheFuture(record)) {
              out.collect(record);
            }
          }

          @Override
          public void close() {
            out.close();
          }
        });
  }

  private boolean isFromTheFuture(SubwayRecord record) {
    long reference =
        record.brokerTime == ReferenceTime.WALL_CLOCK
            ? Clock.systemUTC().millis()
            : record.brokerTime;
    return record.eventTime - maxFutureSkewMillis > reference;
  }

  @Override
  public TypeInformation<SubwayRecord> getProducedType() {
    return all.getProducedType();
  }
}
