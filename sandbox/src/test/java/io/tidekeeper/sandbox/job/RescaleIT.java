package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidekeeper.sandbox.flink.JobRef;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A new parallelism changes nothing about the results. */
class RescaleIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final double IDLE = 1;
  private static final String RESTORE = "watermark-restore";

  private static Lab lab;

  @BeforeAll
  static void start(@TempDir Path dir) {
    lab = Lab.start(dir);
  }

  @AfterAll
  static void stop() {
    lab.close();
  }

  @Test
  void fromTwoToFourToOneWithIdlePartitionsAndAnEmptySourceSubtask() {
    try (Stream stream = lab.stream(3)) {
      Load load = new Load(stream);
      Map<String, String> options = idleAfterHalfASecond();

      JobRef two = lab.flink.submit(stream.job(options, 2), null);
      double watermark = eachPartitionFallsSilentInTurn(two, stream, load, Gauges.NO_WATERMARK);
      JobRef four = lab.flink.submit(stream.job(options, 4), two.stopWithSavepoint(false));
      awaitRestored(four, 4, watermark);
      watermark = eachPartitionFallsSilentInTurn(four, stream, load, watermark);
      JobRef one = lab.flink.submit(stream.job(options, 1), four.stopWithSavepoint(false));
      awaitRestored(one, 1, watermark);
      eachPartitionFallsSilentInTurn(one, stream, load, watermark);

      load.closeWindows(3);
      await().atMost(PATIENCE).untilAsserted(() -> load.assertExact(20));
      one.cancel();
    }
  }

  @Test
  void fromAnUnalignedCheckpointWithRecordsAndWatermarksInFlight() {
    try (Stream stream = lab.stream(2)) {
      Load load = new Load(stream);
      Map<String, String> options = idleAfterHalfASecond();
      options.put("execution.checkpointing.unaligned.enabled", "true");
      options.put(
          "execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION");
      // What holds up the windows: a full buffer in front of a broker that takes little.
      options.put("tidekeeper.kafka.client.client.id", stream.name);
      options.put("tidekeeper.kafka.client.buffer.memory", "32768");
      options.put("tidekeeper.kafka.client.batch.size", "4096");
      options.put("execution.checkpointing.interval", "1h");
      limitProducers(stream.name, 40_000.0);

      JobRef job = lab.flink.submit(stream.job(options, 2), null);
      load.send(1_000, 0, 1);
      double watermark = awaitAgreement(job);
      for (int i = 0; i < 40; i++) {
        load.sendLate(500, 0, 1);
        load.send(50, 0, 1);
      }
      String checkpoint = checkpointWithRecordsInFlight(job);
      job.cancel();
      limitProducers(stream.name, null);

      options.put("execution.checkpointing.interval", "500ms");
      JobRef restored = lab.flink.submit(stream.job(options, 4), checkpoint);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(
                          new Gauges(lab.flink, restored)
                              .subtasks(RESTORE, "tidekeeper_restoredWatermark"))
                      .hasSize(4)
                      .allSatisfy(
                          (subtask, w0) -> assertThat(w0).isGreaterThanOrEqualTo(watermark)));
      load.send(200, 0, 1);
      load.closeWindows(2);
      await().atMost(PATIENCE).untilAsserted(() -> load.assertExact(20_000));
      restored.cancel();
    }
  }

  private static Map<String, String> idleAfterHalfASecond() {
    Map<String, String> options = new TreeMap<>(Stream.bounded("2s"));
    options.put("tidekeeper.default.watermark.idle-timeout", "500ms");
    return options;
  }

  /** Returns the watermark on which all subtasks agree in the end. */
  private static double eachPartitionFallsSilentInTurn(
      JobRef job, Stream stream, Load load, double restored) {
    Gauges gauges = new Gauges(lab.flink, job);
    for (int silent = 0; silent < 3; silent++) {
      load.send(200, (silent + 1) % 3, (silent + 2) % 3);
      String split = stream.split(silent);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(gauges.split(split, "state")).isEqualTo(IDLE);
                assertThat(gauges.subtasks(RESTORE, "currentOutputWatermark"))
                    .allSatisfy((subtask, now) -> assertThat(now).isGreaterThanOrEqualTo(restored));
              });
    }
    return awaitAgreement(job);
  }

  /** Waits until every partition is silent, and all windows have heard of it. */
  private static double awaitAgreement(JobRef job) {
    Gauges gauges = new Gauges(lab.flink, job);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              Map<String, Double> watermarks = gauges.splits("watermark");
              double newest = watermarks.values().stream().mapToDouble(w -> w).max().orElse(0);
              assertThat(gauges.splits("state").values()).isNotEmpty().containsOnly(IDLE);
              assertThat(gauges.subtasks(RESTORE, "currentOutputWatermark").values())
                  .isNotEmpty()
                  .containsOnly(newest);
            });
    return Collections.max(gauges.subtasks(RESTORE, "currentOutputWatermark").values());
  }

  private static void awaitRestored(JobRef job, int parallelism, double watermark) {
    Gauges gauges = new Gauges(lab.flink, job);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(gauges.subtasks(RESTORE, "tidekeeper_restoredWatermark").values())
                    .hasSize(parallelism)
                    .containsOnly(watermark));
  }

  private static String checkpointWithRecordsInFlight(JobRef job) {
    String[] checkpoint = new String[1];
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              checkpoint[0] = job.triggerCheckpoint();
              return job.inFlightBytesOfLatestCheckpoint() > 0;
            });
    return checkpoint[0];
  }

  /** Lets producers of this name write so many bytes a second; null: as many as they like. */
  private static void limitProducers(String clientId, @Nullable Double bytesPerSecond) {
    ClientQuotaAlteration alteration =
        new ClientQuotaAlteration(
            new ClientQuotaEntity(Map.of(ClientQuotaEntity.CLIENT_ID, clientId)),
            List.of(new ClientQuotaAlteration.Op("producer_byte_rate", bytesPerSecond)));
    try (Admin admin = lab.broker.admin()) {
      admin.alterClientQuotas(List.of(alteration)).all().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }
}
