package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidekeeper.sandbox.flink.JobRef;
import io.tidekeeper.sandbox.flink.JobSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One stream, on which every setting follows every other one by savepoint. */
class SettingsMatrixIT {

  private static final Logger LOG = LoggerFactory.getLogger(SettingsMatrixIT.class);

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** A Wednesday morning in Shanghai's rush hour. */
  private static final long BEGIN = Instant.parse("2024-05-15T00:00:00Z").toEpochMilli();

  /** Long before, later than any bound or allowed lateness reaches back. */
  private static final long ANCIENT = BEGIN - Duration.ofHours(3).toMillis();

  private static final long STEP_MILLIS = 7_000;

  /** Less than the disorder, so that carried watermarks make some records late. */
  private static final long CARRIED_BEHIND_MILLIS = 4_000;

  private static final int PARTITIONS = 2;
  private static final int PARALLELISM = 1;
  private static final int STEPS_PER_AUDIT = 22;
  private static final List<String> STATIONS = List.of("S1", "S2", "S3");

  private final Random random = new Random(7);
  private final WindowAccount account = new WindowAccount();

  private static Lab lab;

  @BeforeAll
  static void start(@TempDir Path dir) {
    lab = Lab.start(dir, 1, PARALLELISM);
  }

  @AfterAll
  static void stop() {
    lab.close();
  }

  @Test
  void everySettingRestoresFromEveryOtherAndNoRecordIsLostOrDoubled() {
    List<Setting> settings = Setting.all();
    assertThat(settings).hasSizeGreaterThanOrEqualTo(12);
    List<Integer> walk = EveryPair.walk(settings.size());
    Set<String> restored = new HashSet<>();
    String savepoint = null;

    try (Stream stream = new Stream(lab.broker, "matrix", PARTITIONS)) {
      for (int step = 0; step < walk.size(); step++) {
        Setting setting = settings.get(walk.get(step));
        boolean last = step == walk.size() - 1;
        savepoint = run(stream, step, setting, savepoint, last);
        if (step > 0) {
          restored.add(settings.get(walk.get(step - 1)).name() + " -> " + setting.name());
        }
        if (step % STEPS_PER_AUDIT == STEPS_PER_AUDIT - 1) {
          account.verifyFiredWindows(stream);
        }
      }
      account.verifyEverything(stream);
      LOG.info("{} restores, {} records", restored.size(), account.produced());
    }
    assertThat(restored).hasSize(settings.size() * (settings.size() - 1));
  }

  /** From a savepoint to the next: the job runs, and takes in exactly what is sent meanwhile. */
  private String run(
      Stream stream, int step, Setting setting, @Nullable String savepoint, boolean last) {
    JobRef job = lab.flink.submit(spec(stream, setting, step == 0), savepoint);
    try {
      int sent = step == 0 ? sendFirst(stream) : sendBatch(stream, step, setting);
      job.awaitRunning();
      await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(20))
          .untilAsserted(() -> assertThat(sum(job, "split_records")).isEqualTo(sent));
      if (step == 0) {
        // From here on there is a watermark to restore, so what is ancient is late.
        await()
            .atMost(PATIENCE)
            .untilAsserted(() -> assertThat(stream.committedResults()).hasSize(STATIONS.size()));
      } else {
        await()
            .atMost(PATIENCE)
            .pollInterval(Duration.ofMillis(20))
            .untilAsserted(() -> assertThat(sum(job, "routedLate")).isGreaterThanOrEqualTo(1));
        assertThat(sum(job, "split_malformedRecords")).isEqualTo(1);
        if (!setting.hasLateTopic()) {
          assertThat(sum(job, "routedLate")).isEqualTo(1);
        }
      }
      return job.stopWithSavepoint(last);
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(
          "step %d, %s: %s".formatted(step, setting.name(), job.describe()), e);
    }
  }

  private static long sum(JobRef job, String metric) {
    return JobMetrics.sum(lab.flink, job, metric);
  }

  private static JobSpec spec(Stream stream, Setting setting, boolean first) {
    Map<String, String> options = new TreeMap<>(stream.job(Map.of(), 1).configuration());
    options.remove("tidekeeper.default.late.topic");
    options.remove("tidekeeper.kafka.dead-letter-topic");
    options.putAll(setting.options());
    options.put("tidekeeper.kafka.client.retry.backoff.ms", "10");
    if (!first) {
      // A stop commits everything; checkpoints on the way would only take time.
      options.put("execution.checkpointing.interval", "1h");
    }
    return stream.job(Map.of(), PARALLELISM).withConfiguration(options);
  }

  /** One window of each station, and in both partitions a record that closes them. */
  private int sendFirst(Stream stream) {
    for (String station : STATIONS) {
      send(stream, 0, station, BEGIN);
    }
    for (int partition = 0; partition < PARTITIONS; partition++) {
      send(stream, partition, "S1", BEGIN + 2 * STEP_MILLIS);
    }
    return STATIONS.size() + PARTITIONS;
  }

  /**
   * New records in both partitions, an ancient and a malformed one. Where the job sends late
   * records to a topic, which then says how many there were, also some that may be late.
   */
  private int sendBatch(Stream stream, int step, Setting setting) {
    long now = BEGIN + (step + 2) * STEP_MILLIS;
    int sent = 0;
    boolean disorder = setting.hasLateTopic() && !setting.allowsLateness();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      for (int i = 0; i < 3; i++) {
        send(stream, partition, anyStation(), now + random.nextInt(2_000));
        sent++;
        if (disorder) {
          send(stream, partition, anyStation(), now - random.nextInt(12_000));
          sent++;
        }
      }
    }
    String station = anyStation();
    long ancient = ANCIENT + step * STEP_MILLIS;
    send(stream, step % PARTITIONS, station, ancient);
    if (!setting.hasLateTopic()) {
      account.droppedLate(station, ancient);
    }
    stream.sendRaw(step % PARTITIONS, "{\"station\":");
    account.sentMalformed(setting.hasDeadLetterTopic());
    return sent + 2;
  }

  /** Every record carries a watermark, which only one of the settings looks for. */
  private void send(Stream stream, int partition, String station, long time) {
    stream.sendRaw(
        partition,
        "{\"station\":\"%s\",\"passengers\":1,\"time\":%d,\"closed\":%d}"
            .formatted(station, time, time - CARRIED_BEHIND_MILLIS));
    account.sent(station, time);
  }

  private String anyStation() {
    return STATIONS.get(random.nextInt(STATIONS.size()));
  }
}
