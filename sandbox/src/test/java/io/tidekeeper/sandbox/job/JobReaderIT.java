package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidekeeper.controller.flink.FlinkDeployment;
import io.tidekeeper.controller.flink.FlinkDeploymentReader;
import io.tidekeeper.controller.job.JobAnswer;
import io.tidekeeper.controller.job.JobReader;
import io.tidekeeper.controller.job.RestAddress;
import io.tidekeeper.controller.rollout.JobReading;
import io.tidekeeper.controller.rollout.JobReading.SourceSubtask;
import io.tidekeeper.controller.rollout.LateCount;
import io.tidekeeper.policy.PolicyOptions;
import io.tidekeeper.sandbox.LocalPorts;
import io.tidekeeper.sandbox.flink.JobRef;
import io.tidekeeper.sandbox.flink.JobSpec;
import io.tidekeeper.sandbox.plain.PlainSubwayJob;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the controller reads of a real job over Flink's REST API. */
class JobReaderIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

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
  void everySubtaskOfTheSourceItsRecordsAndItsCheckpointsAreRead() throws Exception {
    try (Stream stream = lab.stream(3)) {
      Map<String, String> options = new TreeMap<>(Stream.bounded("2s"));
      options.put("tidekeeper.default.watermark.idle-timeout", "5s");
      options.put("tidekeeper.revision", "41");
      JobRef job = lab.flink.submit(stream.job(options, 2), null);
      for (int partition = 0; partition < 2; partition++) {
        stream.send(partition, "S1", 100_000);
        stream.send(partition, "S1", 130_000);
      }
      job.awaitRunning();
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                JobReading reading = heard(job);
                assertThat(reading.late().records()).isEqualTo(4);
                // The third partition is silent, so it does not hold the others back.
                assertThat(reading.lowestWatermark()).isEqualTo(127_999);
              });

      stream.send(0, "S1", 90_000);
      stream.send(1, "S1", 160_000);

      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(heard(job))
                      .satisfies(
                          reading -> {
                            assertThat(reading.late()).isEqualTo(new LateCount(6, 1));
                            assertThat(reading.lowestWatermark()).isEqualTo(127_999);
                            assertThat(reading.checkpoints()).isPositive();
                          }));
      JobReading reading = heard(job);
      assertThat(reading.subtasks())
          .extracting(
              SourceSubtask::source,
              SourceSubtask::index,
              SourceSubtask::revision,
              SourceSubtask::policyFormat)
          .containsExactlyInAnyOrder(
              tuple("trips", 0, 41L, PolicyOptions.POLICY_FORMAT),
              tuple("trips", 1, 41L, PolicyOptions.POLICY_FORMAT));
      assertThat(reading.restarts()).isZero();
      assertThat(reading.checkpointInterval()).isEqualTo(Duration.ofMillis(500));

      job.cancel();
      assertThat(read(job).reading()).isNull();
      assertThat(read(job).problem()).contains(job.jobId().toString(), "does not run");
    }
  }

  @Test
  void aJobWithoutTheLibraryHasSubtasksWithoutARevision() throws Exception {
    try (Stream stream = lab.stream(1)) {
      JobRef job =
          lab.flink.submit(
              JobSpec.ofClass(
                  PlainSubwayJob.class,
                  Map.of(
                      "tidekeeper.kafka.bootstrap-servers",
                      lab.broker.bootstrapServers(),
                      "tidekeeper.kafka.input-topic",
                      stream.input(),
                      PlainSubwayJob.RESULTS_TOPIC.key(),
                      stream.results()),
                  1),
              null);
      job.awaitRunning();

      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(heard(job))
                      .satisfies(
                          reading ->
                              assertThat(reading.subtasks())
                                  .singleElement()
                                  .satisfies(
                                      subtask -> {
                                        assertThat(subtask.revision()).isNull();
                                        assertThat(subtask.policyFormat()).isNull();
                                      })));
      job.cancel();
    }
  }

  @Test
  void whatDoesNotAnswerIsNoErrorButHasAReason() throws Exception {
    JobReader reader = new JobReader(new RestAddress("http://127.0.0.1:" + LocalPorts.free()));

    JobAnswer answer = reader.read(deployment(null), "default");

    assertThat(answer.reading()).isNull();
    assertThat(answer.problem()).contains("/jobs", "ConnectException");
  }

  private static JobReading heard(JobRef job) throws Exception {
    JobAnswer answer = read(job);
    JobReading reading = answer.reading();
    if (reading == null) {
      throw new AssertionError(answer.problem());
    }
    return reading;
  }

  private static JobAnswer read(JobRef job) throws Exception {
    RestAddress address = new RestAddress(lab.flink.restUri().toString());
    return new JobReader(address).read(deployment(job.jobId().toString()), "default");
  }

  private static FlinkDeployment deployment(@Nullable String jobId) throws Exception {
    JsonNode resource =
        new ObjectMapper()
            .readTree(
                """
                {"metadata": {"name": "subway"}, "status": {"jobStatus": {"jobId": "%s"}}}
                """
                    .formatted(jobId == null ? "" : jobId));
    return new FlinkDeploymentReader().read(resource);
  }
}
