package io.tidekeeper.sandbox.traffic;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Traffic on its way to Kafka: a plan sent at its own pace on a thread of its own. Records carry
 * the station as key and JSON as value, both UTF-8, and go to the partition the plan says.
 *
 * <p>Every record is sent exactly once (idempotent, acknowledged by all replicas); a record that
 * Kafka does not take within two minutes ends the traffic, and every method that waits or reads
 * throws. While Kafka is away the traffic stands still, and goes on from there.
 *
 * <p>Methods may be called from any thread.
 */
public final class Traffic implements AutoCloseable {
  private static final long TICK_MILLIS = 5;
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final String topic;
  private final TrafficPlan plan;
  private final Planner planner;
  private final Ledger ledger;
  private final KafkaProducer<byte[], byte[]> producer;
  private final Thread thread;
  private volatile Progress progress;
  private volatile boolean stopping;
  private volatile @Nullable String over;

  private Traffic(String bootstrapServers, String topic, TrafficPlan plan, Ledger ledger) {
    this.ledger = ledger;
    this.topic = topic;
    this.plan = plan;
    this.planner = new Planner(plan, System.currentTimeMillis());
    this.progress =
        new Progress(
            0, 0, plan.start().toEpochMilli(), plan.phases().get(0).name(), false, Duration.ZERO);
    this.producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers", bootstrapServers,
                "enable.idempotence", "true",
                "acks", "all",
                "linger.ms", "5",
                "max.block.ms", "120000",
                "delivery.timeout.ms", "120000"),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    this.thread = new Thread(this::run, "traffic");
    this.thread.setDaemon(true);
  }

  /**
   * Starts sending.
   *
   * @param topic must exist
   * @throws IllegalStateException when the topic has not as many partitions as the plan
   */
  public static Traffic start(String bootstrapServers, String topic, TrafficPlan plan) {
    return start(bootstrapServers, topic, plan, Ledger.complete());
  }

  /**
   * Starts sending without keeping what was sent, for traffic without an end; see {@link #start}.
   * {@link #truth} is empty.
   */
  public static Traffic startUnrecorded(String bootstrapServers, String topic, TrafficPlan plan) {
    return start(bootstrapServers, topic, plan, Ledger.counting());
  }

  private static Traffic start(
      String bootstrapServers, String topic, TrafficPlan plan, Ledger ledger) {
    Traffic traffic = new Traffic(bootstrapServers, topic, plan, ledger);
    int partitions = traffic.producer.partitionsFor(topic).size();
    if (partitions != plan.partitions()) {
      traffic.close();
      throw new IllegalStateException(
          "topic '%s' has %d partitions, the plan has %d"
              .formatted(topic, partitions, plan.partitions()));
    }
    traffic.thread.start();
    return traffic;
  }

  /** How far it has come. */
  public Progress progress() {
    ledger.check();
    Progress now = progress;
    return new Progress(
        now.sent(), ledger.size(), now.eventTime(), now.phase(), now.ended(), now.stalled());
  }

  /** Waits, at most ten minutes, until this phase or a later one has begun. */
  public void awaitPhase(String name) {
    List<String> names = plan.phases().stream().map(Phase::name).toList();
    int wanted = names.indexOf(name);
    if (wanted < 0) {
      throw new IllegalArgumentException("there is no phase '%s', only %s".formatted(name, names));
    }
    await("phase " + name, now -> names.indexOf(now.phase()) >= wanted);
  }

  /**
   * Ends a phase before its time: the next one begins at once, with the next record. Nothing
   * changes when the phase has passed, or is the last.
   */
  public void endPhase(String name) {
    over = name;
  }

  /** Waits, at most ten minutes, until so many records have been sent. */
  public void awaitSent(long records) {
    await(records + " records sent", now -> now.sent() >= records);
  }

  /** Waits until the plan has ended and Kafka has stored every record of it. */
  public void awaitEnd() {
    long limit = System.nanoTime() + plan.wall().plus(PATIENCE).toNanos();
    while (thread.isAlive()) {
      ledger.check();
      if (System.nanoTime() - limit >= 0) {
        throw new IllegalStateException("the traffic does not end; last seen: " + progress);
      }
      pause();
    }
    producer.flush();
    ledger.check();
  }

  /** Ends the plan early and waits until Kafka has stored what was sent. */
  public void stop() {
    stopping = true;
    awaitEnd();
  }

  /**
   * Sends the closing records, once the plan has ended or was stopped: on every partition, two to
   * four minutes of event time beyond the front.
   */
  public void sendClosing() {
    awaitEnd();
    long planNanos =
        (long) ((progress.eventTime() - plan.start().toEpochMilli()) / plan.speed() * 1e6);
    for (Planned record : planner.closing(planNanos)) {
      send(record);
      producer.flush();
    }
    ledger.check();
  }

  /** Everything Kafka has stored so far, by id. */
  public List<Sent> truth() {
    ledger.check();
    return ledger.sent();
  }

  /** Stops at once; what was sent is stored first, where Kafka takes it within ten seconds. */
  @Override
  public void close() {
    stopping = true;
    producer.close(Duration.ofSeconds(10));
    thread.interrupt();
  }

  private void run() {
    try {
      Pace pace = new Pace(System.nanoTime());
      @Nullable Planned next = planner.hasNext() ? planner.next() : null;
      long sent = 0;
      while (next != null && !stopping) {
        long now = pace.look(System.nanoTime());
        String phase = progress.phase();
        while (next != null && next.dueNanos() <= now) {
          phase = next.phase();
          send(next);
          sent++;
          if (planner.phaseName().equals(over)) {
            planner.cutPhaseShort(now);
          }
          next = planner.hasNext() ? planner.next() : null;
        }
        progress =
            new Progress(
                sent,
                0,
                planner.frontMillis(now),
                phase,
                next == null,
                Duration.ofNanos(pace.stalledNanos()));
        pause();
      }
      producer.flush();
    } catch (RuntimeException e) {
      if (!stopping) {
        ledger.fail(e);
      }
    }
  }

  private void send(Planned record) {
    // The callback sees every outcome.
    var unused =
        producer.send(
            new ProducerRecord<>(
                topic,
                record.partition(),
                record.station().getBytes(UTF_8),
                record.value().getBytes(UTF_8)),
            (metadata, failure) -> {
              if (failure != null) {
                ledger.fail(failure);
              } else if (!metadata.hasOffset()) {
                ledger.fail(
                    new IllegalStateException("Kafka has lost track of the offset of " + record));
              } else {
                ledger.acknowledge(record.sent(metadata.offset()));
              }
            });
  }

  private void await(String awaited, Predicate<Progress> reached) {
    long limit = System.nanoTime() + PATIENCE.toNanos();
    while (!reached.test(progress())) {
      if (progress.ended() || !thread.isAlive()) {
        if (reached.test(progress())) {
          return;
        }
        throw new IllegalStateException(
            "the traffic has ended without %s; last seen: %s".formatted(awaited, progress));
      }
      if (System.nanoTime() - limit >= 0) {
        throw new IllegalStateException(
            "waited %s for %s; last seen: %s".formatted(PATIENCE, awaited, progress));
      }
      pause();
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while sending or awaiting traffic", e);
    }
  }
}
