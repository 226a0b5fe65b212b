package io.tidekeeper.bench.job;

import io.tidekeeper.sandbox.kafka.KafkaBroker;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Records that wait in a topic: trips of 40 stations, spread evenly over the partitions, up to four
 * seconds out of order.
 *
 * @param topic where they are
 * @param partitions how many partitions it has
 * @param records how many there are
 */
record Backlog(String topic, int partitions, long records) {

  private static final long START = 1_772_000_000_000L;
  private static final int STATIONS = 40;
  private static final int DISORDER_MILLIS = 4_000;

  /** Records per second of event time. */
  private static final int DENSITY = 5_000;

  /** Creates the topic and fills it. */
  void write(KafkaBroker broker) {
    broker.createTopic(topic, partitions);
    SplittableRandom random = new SplittableRandom(11);
    AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    try (KafkaProducer<byte[], String> producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                broker.bootstrapServers(),
                ProducerConfig.LINGER_MS_CONFIG,
                "50",
                ProducerConfig.BATCH_SIZE_CONFIG,
                "65536"),
            new ByteArraySerializer(),
            new StringSerializer())) {
      for (long i = 0; i < records; i++) {
        long time = START + i * 1_000 / DENSITY - random.nextInt(DISORDER_MILLIS);
        String value =
            "{\"id\":"
                + i
                + ",\"station\":\"S"
                + random.nextInt(STATIONS)
                + "\",\"passengers\":3,\"time\":"
                + time
                + "}";
        var unused =
            producer.send(
                new ProducerRecord<>(topic, (int) (i % partitions), null, value),
                (metadata, problem) -> {
                  if (problem != null) {
                    failure.compareAndSet(null, problem);
                  }
                });
      }
      producer.flush();
    }
    if (failure.get() != null) {
      throw new IllegalStateException("cannot write the backlog", failure.get());
    }
  }
}
