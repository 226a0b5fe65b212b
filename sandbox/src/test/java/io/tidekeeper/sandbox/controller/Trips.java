package io.tidekeeper.sandbox.controller;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Trips at a steady pace, in the order of their times. */
final class Trips implements AutoCloseable {

  private static final long EVERY_MILLIS = 20;

  private final KafkaProducer<byte[], byte[]> producer;
  private final ScheduledExecutorService pace = Executors.newSingleThreadScheduledExecutor();
  private final String topic;
  private final int partitions;
  private long time = 1_000_000;
  private long sent;

  Trips(String bootstrapServers, String topic, int partitions) {
    this.topic = topic;
    this.partitions = partitions;
    this.producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    Future<?> unused = pace.scheduleAtFixedRate(this::send, 0, EVERY_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void send() {
    for (int partition = 0; partition < partitions; partition++) {
      time += EVERY_MILLIS;
      String trip =
          "{\"id\":%d,\"station\":\"S1\",\"passengers\":1,\"time\":%d}".formatted(++sent, time);
      Future<RecordMetadata> unused =
          producer.send(new ProducerRecord<>(topic, partition, null, trip.getBytes(UTF_8)));
    }
  }

  @Override
  public void close() {
    pace.shutdownNow();
    producer.close();
  }
}
