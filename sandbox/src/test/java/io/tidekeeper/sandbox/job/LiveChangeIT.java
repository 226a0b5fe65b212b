package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidekeeper.sandbox.flink.JobRef;
import io.tidekeeper.sandbox.subway.PolicyFileOnDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.flink.api.common.JobStatus;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A policy file changes a running job, and what happens when something comes in between. */
class LiveChangeIT {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String SOURCE = "Source: trips";
  private static final int PARALLELISM = 3;
  private static final int CHANGES = 10;

  private static final double ACTIVE = 0;
  private static final double IDLE = 1;

  private static final double IN_FORCE = 1;
  private static final double OLDER = 2;
  private static final double BROKEN = 3;
  private static final double SAME_REVISION = 4;
  private static final double NEEDS_RESTART = 5;

  private static Lab lab;

  /** Three subtasks need both task managers. */
  @BeforeAll
  static void start(@TempDir Path dir) {
    lab = Lab.start(dir, 2, 2);
  }

  @AfterAll
  static void stop() {
    lab.close();
  }

  @Test
  void aNewBoundReachesAllReadersWithoutARestartAndTheAccountIsExact(@TempDir Path dir) {
    PolicyFileOnDisk file = new PolicyFileOnDisk(dir.resolve("policy"));
    try (Stream stream = lab.stream(PARALLELISM)) {
      JobRef job = lab.flink.submit(stream.job(options(file, 10, "2s"), PARALLELISM), null);
      Gauges gauges = new Gauges(lab.flink, job);
      Load load = new Load(stream);
      load.steadily(
          () -> {
            await().atMost(PATIENCE).until(() -> late(gauges) > 10);
            assertRevisions(gauges, 10);
            assertThat(gauges.enumerator("fileState")).isZero();

            file.write(11, policy(stream, "40s"));
            await().atMost(PATIENCE).untilAsserted(() -> assertRevisions(gauges, 11));
            await()
                .atMost(PATIENCE)
                .untilAsserted(
                    () ->
                        assertThat(gauges.splits("outOfOrderness").values())
                            .containsExactly(40_000.0, 40_000.0, 40_000.0));
            // The watermark holds where it was; once it moves again, 40 s are what is waited for.
            double held = Collections.max(gauges.splits("watermark").values());
            await()
                .atMost(PATIENCE)
                .until(() -> Collections.min(gauges.splits("watermark").values()) > held);
            double late = late(gauges);
            long before = load.sent();
            await().atMost(PATIENCE).until(() -> load.sent() > before + 1_500);
            assertThat(late(gauges)).as("late under 40 s").isEqualTo(late);

            file.write(12, policy(stream, "1s"));
            await().atMost(PATIENCE).untilAsserted(() -> assertRevisions(gauges, 12));
            await().atMost(PATIENCE).until(() -> late(gauges) > late);
          },
          0,
          1,
          2);
      assertThat(gauges.enumerator("fileRevision")).isEqualTo(12);
      assertThat(gauges.enumerator("refusedFiles")).isZero();
      assertThat(gauges.subtasks(SOURCE, "tidekeeper_missedAnswers").values()).containsOnly(0.0);
      assertThat(gauges.subtasks(SOURCE, "tidekeeper_revisionAgeMillis").values())
          .allSatisfy(age -> assertThat(age).isPositive());
      assertThat(job.restarts()).isZero();
      load.closeWindows(PARALLELISM);
      await().atMost(PATIENCE).untilAsserted(() -> load.assertExact(10));
      job.cancel();
    }
  }

  /** Times are from the replacement of the file; of a machine and a moment, so they are printed. */
  @Test
  void changeAfterChangeReachesTheLastReaderWhileRecordsFlowAndNoneIsLostOrRepeated(
      @TempDir Path dir) {
    PolicyFileOnDisk file = new PolicyFileOnDisk(dir.resolve("policy"));
    FollowingTimes times = new FollowingTimes();
    Random phase = new Random(3);
    try (Stream stream = lab.stream(PARALLELISM)) {
      JobRef job = lab.flink.submit(stream.job(options(file, 10, "2s"), PARALLELISM), null);
      Gauges gauges = new Gauges(lab.flink, job);
      Load load = new Load(stream);
      load.steadily(
          () -> {
            await().atMost(PATIENCE).untilAsserted(() -> assertRevisions(gauges, 10));
            await().atMost(PATIENCE).until(() -> !stream.committedResults().isEmpty());
            for (int change = 1; change <= CHANGES; change++) {
              int revision = 10 + change;
              // Some records later, so that changes are not in step with the looks at the file.
              long next = load.sent() + phase.nextLong(30, 120);
              soon().until(() -> load.sent() >= next);
              Map<String, String> policy = policy(stream, change % 2 == 0 ? "2s" : "4s");
              times.begin();
              file.write(revision, policy);
              soon().until(() -> times.read(() -> revisions(gauges)).equals(all(revision)));
              times.seen();
              times.followingFor(times.read(() -> Collections.min(ages(gauges))));
            }
          },
          0,
          1,
          2);
      assertThat(gauges.splits("outOfOrderness").values()).containsOnly(2_000.0);
      assertThat(gauges.enumerator("refusedFiles")).isZero();
      assertThat(gauges.enumerator("undeliveredAnswers")).isZero();
      assertThat(job.restarts()).isZero();
      load.closeWindows(PARALLELISM);
      await().atMost(PATIENCE).untilAsserted(() -> load.assertExact(10));
      System.out.printf(
          "live change at parallelism %d, file read every 100 ms: %s;"
              + " of %d records none was lost or repeated%n",
          PARALLELISM, times, load.sent());
      job.cancel();
    }
  }

  private static ConditionFactory soon() {
    return await()
        .atMost(PATIENCE)
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1));
  }

  @Test
  void aRevisionThatComesWhileATaskManagerIsGoneReachesTheNewReaders(@TempDir Path dir) {
    PolicyFileOnDisk file = new PolicyFileOnDisk(dir.resolve("policy"));
    try (Stream stream = lab.stream(PARALLELISM)) {
      Map<String, String> options = options(file, 10, "2s");
      options.put("restart-strategy.type", "fixed-delay");
      options.put("restart-strategy.fixed-delay.attempts", "1000");
      options.put("restart-strategy.fixed-delay.delay", "100ms");
      file.write(11, policy(stream, "3s"));
      JobRef job = lab.flink.submit(stream.job(options, PARALLELISM), null);
      Gauges gauges = new Gauges(lab.flink, job);
      Load load = new Load(stream);
      load.steadily(
          () -> {
            await().atMost(PATIENCE).untilAsserted(() -> assertRevisions(gauges, 11));
            await().atMost(PATIENCE).until(() -> !stream.committedResults().isEmpty());
            lab.flink.killTaskManager(0);
            file.write(12, policy(stream, "4s"));
            await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(gauges.enumerator("revision")).isEqualTo(12));
            await().atMost(PATIENCE).until(() -> !job.isRunning());
            file.write(13, policy(stream, "5s"));
            lab.flink.startTaskManager();
            job.awaitRunning(PATIENCE);
            await().atMost(PATIENCE).untilAsserted(() -> assertRevisions(gauges, 13));
            await()
                .atMost(PATIENCE)
                .untilAsserted(
                    () ->
                        assertThat(gauges.splits("outOfOrderness").values()).containsOnly(5_000.0));
          },
          0,
          1,
          2);
      assertThat(job.restarts()).isPositive();
      load.closeWindows(PARALLELISM);
      await().atMost(PATIENCE).untilAsserted(() -> load.assertExact(1));
      assertThat(job.status()).isEqualTo(JobStatus.RUNNING);
      job.cancel();
    }
  }

  @Test
  void aTaskThatFailsComesBackOnTheNewRevisionAndBothSourcesFollow(@TempDir Path dir) {
    PolicyFileOnDisk file = new PolicyFileOnDisk(dir.resolve("policy"));
    try (Stream live = lab.stream(1);
        Stream backfill = lab.stream(1)) {
      Map<String, String> options = options(file, 10, "2s");
      options.put("restart-strategy.type", "fixed-delay");
      options.put("restart-strategy.fixed-delay.attempts", "1");
      options.put("restart-strategy.fixed-delay.delay", "100ms");
      JobRef job = lab.flink.submit(TwoSourcesJob.of(lab.broker, live, backfill, options), null);
      Gauges gauges = new Gauges(lab.flink, job);
      live.send(0, "S1", 100_000);
      backfill.send(0, "S1", 1_000);
      awaitBoth(gauges, 10);

      file.write(11, Stream.bounded("3s"));
      TwoSourcesJob.POISON.set("S2");
      live.send(0, "S2", 101_000);
      file.write(12, Stream.bounded("4s"));
      await().atMost(PATIENCE).until(() -> job.restarts() == 1);
      job.awaitRunning(PATIENCE);
      awaitBoth(gauges, 12);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(gauges.split(live.split(0), "records")).isEqualTo(2);
                assertThat(gauges.split(live.split(0), "watermark")).isEqualTo(96_999);
                assertThat(gauges.split(backfill.split(0), "outOfOrderness")).isEqualTo(4_000);
              });
      assertThat(job.status()).isEqualTo(JobStatus.RUNNING);
      job.cancel();
    }
  }

  private static void awaitBoth(Gauges gauges, double revision) {
    for (String source : List.of("live", "backfill")) {
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(gauges.subtasks("Source: " + source, "tidekeeper_revision").values())
                    .containsExactly(revision);
                assertThat(gauges.enumerator(source, "revision")).isEqualTo(revision);
              });
    }
  }

  @Test
  void whatCannotBeTakenOverIsRefusedWholeAndARestartTakesTheHigherRevision(@TempDir Path dir) {
    PolicyFileOnDisk file = new PolicyFileOnDisk(dir.resolve("policy"));
    try (Stream stream = lab.stream(PARALLELISM)) {
      JobRef job = lab.flink.submit(stream.job(options(file, 10, "2s"), PARALLELISM), null);
      Gauges gauges = new Gauges(lab.flink, job);
      for (int partition = 0; partition < PARALLELISM; partition++) {
        stream.send(partition, "S1", 100_000);
      }
      file.write(20, policy(stream, "3s"));
      awaitFile(gauges, IN_FORCE, 20);
      file.write("tidekeeper.revision: 21\ntidekeeper.default.watermark.type: Fast\n");
      awaitFile(gauges, BROKEN, 20);
      file.write(20, policy(stream, "4s"));
      awaitFile(gauges, SAME_REVISION, 20);
      file.write(19, policy(stream, "4s"));
      awaitFile(gauges, OLDER, 20);
      Map<String, String> fixed = policy(stream, "4s");
      fixed.put("tidekeeper.default.watermark.idle-timeout", "1m");
      file.write(22, fixed);
      awaitFile(gauges, NEEDS_RESTART, 20);
      assertThat(gauges.enumerator("refusedFiles")).isEqualTo(3);
      assertThat(gauges.splits("outOfOrderness").values()).containsOnly(3_000.0);
      file.write(23, policy(stream, "6s"));
      awaitFile(gauges, IN_FORCE, 23);
      assertThat(job.restarts()).isZero();

      // The options say less than the file, so the file goes on.
      JobRef behind =
          lab.flink.submit(
              stream.job(options(file, 15, "2s"), PARALLELISM), job.stopWithSavepoint(false));
      Gauges behindGauges = new Gauges(lab.flink, behind);
      awaitFile(behindGauges, IN_FORCE, 23);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(behindGauges.splits("outOfOrderness").values())
                      .hasSize(PARALLELISM)
                      .containsOnly(6_000.0));
      behind.awaitRunning(PATIENCE);
      // The options say more.
      JobRef ahead =
          lab.flink.submit(
              stream.job(options(file, 30, "7s"), PARALLELISM), behind.stopWithSavepoint(false));
      Gauges aheadGauges = new Gauges(lab.flink, ahead);
      awaitFile(aheadGauges, OLDER, 30);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(aheadGauges.splits("outOfOrderness").values())
                      .hasSize(PARALLELISM)
                      .containsOnly(7_000.0));
      ahead.cancel();
    }
  }

  /** The idle timeout of a source is fixed at the start, that of a partition is not. */
  @Test
  void anIdleTimeoutOfOnePartitionArrivesByTheFileAndGoesAgain(@TempDir Path dir) {
    PolicyFileOnDisk file = new PolicyFileOnDisk(dir.resolve("policy"));
    int silent = PARALLELISM - 1;
    try (Stream stream = lab.stream(PARALLELISM)) {
      JobRef job = lab.flink.submit(stream.job(options(file, 10, "2s"), PARALLELISM), null);
      Gauges gauges = new Gauges(lab.flink, job);
      sendToOthers(stream, 1_000);
      sendToOthers(stream, 13_000);
      awaitThatItIsHeldBack(job, gauges, stream, 10_999);
      assertThat(stream.committedResults()).isEmpty();
      assertThat(gauges.split(stream.split(silent), "state")).isEqualTo(ACTIVE);

      Map<String, String> impatient = policy(stream, "2s");
      impatient.put(
          "tidekeeper.default.watermark.partition-overrides",
          "silent %s %d idle-timeout=500ms".formatted(stream.input(), silent));
      file.write(11, impatient);
      awaitResults(stream, "S1@0=2");
      awaitFile(gauges, IN_FORCE, 11);
      assertThat(gauges.split(stream.split(silent), "state")).isEqualTo(IDLE);
      assertThat(gauges.split(stream.split(0), "state"))
          .as("it is silent too, and has no idle timeout")
          .isEqualTo(ACTIVE);

      // It stays idle until it speaks; from then on it has no idle timeout any more.
      file.write(12, policy(stream, "2s"));
      awaitFile(gauges, IN_FORCE, 12);
      sendToOthers(stream, 23_000);
      awaitResults(stream, "S1@0=2", "S1@10000=2");
      stream.send(silent, "S1", 23_000);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(gauges.split(stream.split(silent), "watermark")).isEqualTo(20_999);
                assertThat(gauges.split(stream.split(silent), "state")).isEqualTo(ACTIVE);
              });
      awaitCheckpoints(job);
      sendToOthers(stream, 33_000);
      awaitThatItIsHeldBack(job, gauges, stream, 30_999);
      awaitResults(stream, "S1@0=2", "S1@10000=2");
      stream.send(silent, "S1", 33_000);
      awaitResults(stream, "S1@0=2", "S1@10000=2", "S1@20000=3");
      assertThat(gauges.enumerator("refusedFiles")).isZero();
      assertThat(job.restarts()).isZero();
      job.cancel();
    }
  }

  /** The partitions that speak are through, and so is whatever they let out. */
  private static void awaitThatItIsHeldBack(
      JobRef job, Gauges gauges, Stream stream, double watermark) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              for (int partition = 0; partition < PARALLELISM - 1; partition++) {
                assertThat(gauges.split(stream.split(partition), "watermark")).isEqualTo(watermark);
              }
            });
    awaitCheckpoints(job);
  }

  /** What was on its way through the job is then through, and committed. */
  private static void awaitCheckpoints(JobRef job) {
    long checkpoints = job.completedCheckpoints();
    await().atMost(PATIENCE).until(() -> job.completedCheckpoints() > checkpoints + 2);
  }

  private static void sendToOthers(Stream stream, long time) {
    for (int partition = 0; partition < PARALLELISM - 1; partition++) {
      stream.send(partition, "S1", time);
    }
  }

  private static void awaitResults(Stream stream, String... results) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(stream.committedResults()).containsExactlyInAnyOrder(results));
  }

  private static void awaitFile(Gauges gauges, double state, double revision) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(gauges.enumerator("fileState")).isEqualTo(state);
              assertRevisions(gauges, revision);
            });
  }

  private static void assertRevisions(Gauges gauges, double revision) {
    assertThat(revisions(gauges)).isEqualTo(all(revision));
  }

  private static List<Double> revisions(Gauges gauges) {
    return List.copyOf(gauges.subtasks(SOURCE, "tidekeeper_revision").values());
  }

  private static Collection<Double> ages(Gauges gauges) {
    return gauges.subtasks(SOURCE, "tidekeeper_revisionAgeMillis").values();
  }

  private static List<Double> all(double revision) {
    return Collections.nCopies(PARALLELISM, revision);
  }

  private static double late(Gauges gauges) {
    return gauges.splits("lateRecords").values().stream().mapToDouble(late -> late).sum();
  }

  private static Map<String, String> options(PolicyFileOnDisk file, long revision, String bound) {
    Map<String, String> options = new TreeMap<>(Stream.bounded(bound));
    options.put("tidekeeper.revision", Long.toString(revision));
    options.putAll(file.options());
    return options;
  }

  /** All of it: a file is no difference to the options. */
  private static Map<String, String> policy(Stream stream, String bound) {
    Map<String, String> policy = new TreeMap<>(Stream.bounded(bound));
    policy.put("tidekeeper.default.late.topic", stream.late());
    policy.put("tidekeeper.default.watermark.emit.interval", "20ms");
    return policy;
  }
}
