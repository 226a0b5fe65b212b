package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Trips in a seeded disorder, some of them very late, and the account of what the job made of them.
 */
final class Load {

  private static final long WINDOW = 10_000;
  private static final long STEP = 40;
  private static final int STATIONS = 5;

  private final Stream stream;
  private final Random random = new Random(20240515);
  private final Map<String, Long> truth = new TreeMap<>();
  private long time = 100_000;
  private long sent;

  Load(Stream stream) {
    this.stream = stream;
  }

  /** Writes so many trips to these partitions in turn; event time moves on by 40 ms with each. */
  synchronized void send(int trips, int... partitions) {
    for (int i = 0; i < trips; i++) {
      time += STEP;
      trip(partitions[i % partitions.length], time - disorder());
    }
    stream.flush();
  }

  /** Writes so many trips an age behind all the others. */
  synchronized void sendLate(int trips, int... partitions) {
    for (int i = 0; i < trips; i++) {
      trip(partitions[i % partitions.length], random.nextLong(90_000));
    }
    stream.flush();
  }

  /** Writes trips to these partitions at a steady pace while {@code action} runs. */
  void steadily(Runnable action, int... partitions) {
    ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor();
    ScheduledFuture<?> writing =
        writer.scheduleAtFixedRate(() -> one(partitions), 0, 10, TimeUnit.MILLISECONDS);
    try {
      action.run();
      assertThat(writing.isDone()).as("writer failed").isFalse();
    } finally {
      writer.shutdown();
    }
    try {
      assertThat(writer.awaitTermination(1, TimeUnit.MINUTES)).as("writer ended").isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    stream.flush();
  }

  private synchronized void one(int... partitions) {
    for (int partition : partitions) {
      time += STEP;
      trip(partition, time - disorder());
    }
  }

  private long disorder() {
    return random.nextLong(random.nextInt(100) < 10 ? 30_000 : 1_500);
  }

  private void trip(int partition, long eventTime) {
    String station = "S" + random.nextInt(STATIONS);
    stream.sendLater(partition, station, eventTime);
    truth.merge(station + "@" + (eventTime - eventTime % WINDOW), 1L, Long::sum);
    sent++;
  }

  /** How many trips were written. */
  synchronized long sent() {
    return sent;
  }

  /** Closes every window, with trips of a station whose own window stays open. */
  synchronized void closeWindows(int partitions) {
    for (int partition = 0; partition < partitions; partition++) {
      stream.send(partition, "closing", time + 1_000_000);
    }
  }

  /**
   * Each trip is in exactly one result or in the late topic, and no window was emitted twice.
   *
   * @param atLeastLate how many late trips the test means to have caused
   */
  synchronized void assertExact(int atLeastLate) {
    List<String> results = stream.committedResults();
    Map<String, Long> counted = new TreeMap<>();
    List<String> twice = new ArrayList<>();
    for (String result : results) {
      int equals = result.indexOf('=');
      String window = result.substring(0, equals);
      if (counted.put(window, Long.parseLong(result.substring(equals + 1))) != null) {
        twice.add(window);
      }
    }
    assertThat(twice).as("windows emitted twice").isEmpty();

    Map<String, Long> expected = new TreeMap<>(truth);
    Set<Long> lateIds = new HashSet<>();
    for (ConsumerRecord<byte[], byte[]> late : stream.committedLate()) {
      JsonNode trip = Stream.json(late);
      assertThat(lateIds.add(trip.get("id").asLong())).as("late once: %s", trip).isTrue();
      long eventTime = trip.get("time").asLong();
      String window = trip.get("station").asText() + "@" + (eventTime - eventTime % WINDOW);
      expected.computeIfPresent(window, (name, trips) -> trips == 1 ? null : trips - 1);
    }
    assertThat(counted).as("result of each window = truth - late").isEqualTo(expected);
    assertThat(counted.values().stream().mapToLong(Long::longValue).sum() + lateIds.size())
        .as("counted + late")
        .isEqualTo(sent);
    assertThat(lateIds.size()).as("late").isGreaterThanOrEqualTo(atLeastLate);
  }
}
