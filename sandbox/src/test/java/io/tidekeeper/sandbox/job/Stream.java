package io.tidekeeper.sandbox.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidekeeper.job.pipeline.TidekeeperJob;
import io.tidekeeper.sandbox.flink.JobSpec;
import io.tidekeeper.sandbox.kafka.KafkaBroker;
import io.tidekeeper.sandbox.plain.PlainSubwayJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The topics of one subway job: what a test writes to them, and what the job answers. */
final class Stream implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();

  final String name;
  private final KafkaBroker broker;
  private final KafkaProducer<byte[], byte[]> producer;
  private final AtomicLong sent = new AtomicLong();
  private final Queue<Future<?>> pending = new ConcurrentLinkedQueue<>();

  Stream(KafkaBroker broker, String name, int partitions) {
    this.broker = broker;
    this.name = name;
    broker.createTopic(input(), partitions);
    broker.createTopic(results(), 2);
    broker.createTopic(late(), 1);
    broker.createTopic(deadLetters(), 1);
    broker.createTopic(plainResults(), 2);
    this.producer =
        new KafkaProducer<>(
            // Metadata are kept over an outage; without them a send would block.
            Map.of(
                "bootstrap.servers",
                broker.bootstrapServers(),
                "linger.ms",
                "0",
                "metadata.recovery.strategy",
                "none"),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  String input() {
    return name + "-in";
  }

  /** The name under which metrics know an input partition. */
  String split(int partition) {
    return input() + "-" + partition;
  }

  String results() {
    return name + "-results";
  }

  String late() {
    return name + "-late";
  }

  String deadLetters() {
    return name + "-dead";
  }

  String plainResults() {
    return name + "-plain-results";
  }

  /** The same job on Flink alone, from the same input; its options begin with {@code plain.}. */
  JobSpec plainJob(Map<String, String> options, int parallelism) {
    Map<String, String> all = new TreeMap<>();
    all.put("tidekeeper.kafka.bootstrap-servers", broker.bootstrapServers());
    all.put("tidekeeper.kafka.input-topic", input());
    all.put(PlainSubwayJob.RESULTS_TOPIC.key(), plainResults());
    all.put("pipeline.auto-watermark-interval", "20ms");
    all.put("execution.checkpointing.interval", "500ms");
    all.putAll(options);
    return JobSpec.ofClass(PlainSubwayJob.class, all, parallelism);
  }

  /** The bundled job on these topics; more options come on top. */
  JobSpec job(Map<String, String> options, int parallelism) {
    Map<String, String> all = new TreeMap<>();
    all.put("tidekeeper.pipeline", "subway");
    all.put("tidekeeper.kafka.bootstrap-servers", broker.bootstrapServers());
    all.put("tidekeeper.kafka.input-topic", input());
    all.put("tidekeeper.kafka.results-topic", results());
    all.put("tidekeeper.kafka.dead-letter-topic", deadLetters());
    all.put("tidekeeper.default.late.topic", late());
    all.put("tidekeeper.default.watermark.emit.interval", "20ms");
    all.put("execution.checkpointing.interval", "500ms");
    all.putAll(options);
    return JobSpec.ofClass(TidekeeperJob.class, all, parallelism);
  }

  static Map<String, String> bounded(String maxOutOfOrderness) {
    return Map.of(
        "tidekeeper.default.watermark.type",
        "Bounded",
        "tidekeeper.default.watermark.bounded.max-out-of-orderness",
        maxOutOfOrderness);
  }

  /** Writes one trip and waits until the broker has it. */
  void send(int partition, String station, long time) {
    sendRaw(partition, trip(station, time));
  }

  /** Writes one trip without waiting; {@link #flush} waits for all of them. */
  void sendLater(int partition, String station, long time) {
    sendRawLater(partition, trip(station, time));
  }

  /** Writes any text without waiting; {@link #flush} waits for it, too. */
  void sendRawLater(int partition, String value) {
    pending.add(
        producer.send(new ProducerRecord<>(input(), partition, null, value.getBytes(UTF_8))));
  }

  /**
   * Waits until the broker has every trip.
   *
   * @throws IllegalStateException when it did not take one of them
   */
  void flush() {
    for (Future<?> write = pending.poll(); write != null; write = pending.poll()) {
      await(write);
    }
  }

  private String trip(String station, long time) {
    return "{\"id\":%d,\"station\":\"%s\",\"passengers\":1,\"time\":%d}"
        .formatted(sent.incrementAndGet(), station, time);
  }

  void sendRaw(int partition, String value) {
    await(producer.send(new ProducerRecord<>(input(), partition, null, value.getBytes(UTF_8))));
  }

  private static void await(Future<?> write) {
    try {
      write.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  /** {@code station@windowStart=count} of each committed result, in the order of their offsets. */
  List<String> committedResults() {
    return committedResults(results());
  }

  /** The same of another topic. */
  List<String> committedResults(String topic) {
    List<String> results = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : committed(topic)) {
      JsonNode json = json(record);
      results.add(
          "%s@%d=%d"
              .formatted(
                  json.get("station").asText(),
                  json.get("windowStart").asLong(),
                  json.get("count").asLong()));
    }
    return results;
  }

  List<ConsumerRecord<byte[], byte[]>> committedResultRecords() {
    return committed(results());
  }

  List<ConsumerRecord<byte[], byte[]>> committedLate() {
    return committed(late());
  }

  List<ConsumerRecord<byte[], byte[]>> committedDeadLetters() {
    return committed(deadLetters());
  }

  static JsonNode json(ConsumerRecord<byte[], byte[]> record) {
    try {
      return JSON.readTree(new String(record.value(), UTF_8));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  static String header(ConsumerRecord<byte[], byte[]> record, String key) {
    return new String(record.headers().lastHeader(key).value(), UTF_8);
  }

  private List<ConsumerRecord<byte[], byte[]>> committed(String topic) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                broker.bootstrapServers(),
                "isolation.level",
                "read_committed",
                "enable.auto.commit",
                "false"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions = new ArrayList<>();
      for (PartitionInfo info : consumer.partitionsFor(topic)) {
        partitions.add(new TopicPartition(topic, info.partition()));
      }
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
      while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.getOrDefault(p, 0L))) {
        consumer.poll(Duration.ofMillis(200)).forEach(records::add);
      }
      return records;
    }
  }

  @Override
  public void close() {
    producer.close();
  }
}
