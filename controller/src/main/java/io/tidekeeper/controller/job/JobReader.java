package io.tidekeeper.controller.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidekeeper.controller.flink.FlinkDeployment;
import io.tidekeeper.controller.rollout.JobReading;
import io.tidekeeper.controller.rollout.JobReading.SourceSubtask;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks the job of a deployment about itself, over Flink's REST API. The numbers are as old as
 * Flink's own collection of metrics, 10 s by default. Thread-safe.
 */
public final class JobReader {

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /** Flink writes the longest interval there is for a job that checkpoints on demand only. */
  private static final Duration LONGEST_INTERVAL = Duration.ofDays(3650);

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(CONNECT_TIMEOUT)
          .build();
  private final RestAddress address;
  private final Duration timeout;

  /** A reader that waits a few seconds for each answer. */
  public JobReader(RestAddress address) {
    this(address, TIMEOUT);
  }

  JobReader(RestAddress address, Duration timeout) {
    this.address = address;
    this.timeout = timeout;
  }

  /** Asks the job; never fails. */
  public JobAnswer read(FlinkDeployment deployment, String namespace) {
    try {
      FlinkRest rest = new FlinkRest(client, timeout, address.of(deployment, namespace));
      return JobAnswer.of(read(rest, jobId(rest, deployment.operator().jobId())));
    } catch (JobUnavailableException | IllegalArgumentException e) {
      return JobAnswer.failed(String.valueOf(e.getMessage()));
    }
  }

  /** The job that the operator names when it runs, else the one that does. */
  private static String jobId(FlinkRest rest, @Nullable String expected)
      throws JobUnavailableException {
    List<String> running = new ArrayList<>();
    for (JsonNode job : rest.get("/jobs").path("jobs")) {
      if (job.path("status").asText().equals("RUNNING")) {
        running.add(job.path("id").asText());
      }
    }
    if (expected != null && running.contains(expected)) {
      return expected;
    }
    if (expected != null || running.size() != 1) {
      throw new JobUnavailableException(
          expected == null ? running.size() + " jobs run" : "job " + expected + " does not run");
    }
    return running.get(0);
  }

  private static JobReading read(FlinkRest rest, String jobId) throws JobUnavailableException {
    String job = "/jobs/" + jobId;
    List<SourceSubtask> subtasks = new ArrayList<>();
    SplitSums splits = new SplitSums();
    for (SourceVertex vertex : sources(rest.get(job))) {
      String path = job + "/vertices/" + vertex.id() + "/metrics";
      List<String> metrics = rest.metricNames(path);
      Integer unheard = vertex.unheard(metrics);
      if (unheard != null) {
        // So it is for the first seconds of a job; it says nothing about what the source exports.
        throw new JobUnavailableException(
            "Flink has no metrics yet of subtask %d of %s".formatted(unheard, vertex.name()));
      }
      Map<String, String> values = rest.metrics(path, SourceVertex.ours(metrics));
      subtasks.addAll(vertex.subtasks(values));
      splits.add(values);
    }
    JsonNode checkpoints = rest.find(job + "/checkpoints");
    return new JobReading(
        subtasks,
        restarts(rest, job),
        checkpoints.path("counts").path("completed").asLong(),
        interval(rest.find(job + "/checkpoints/config")),
        splits.late(),
        splits.lowestWatermark());
  }

  private static long restarts(FlinkRest rest, String job) throws JobUnavailableException {
    String name = "numRestarts";
    Long restarts = SourceVertex.number(rest.metrics(job + "/metrics", List.of(name)).get(name));
    if (restarts == null) {
      throw new JobUnavailableException("Flink does not say yet how often the job has restarted");
    }
    return restarts;
  }

  private static @Nullable Duration interval(JsonNode config) {
    Duration interval = Duration.ofMillis(config.path("interval").asLong());
    return interval.isZero() || interval.compareTo(LONGEST_INTERVAL) > 0 ? null : interval;
  }

  /** The vertices that have no input. */
  private static List<SourceVertex> sources(JsonNode details) {
    Set<String> fed = new HashSet<>();
    for (JsonNode node : details.path("plan").path("nodes")) {
      if (!node.path("inputs").isEmpty()) {
        fed.add(node.path("id").asText());
      }
    }
    List<SourceVertex> sources = new ArrayList<>();
    for (JsonNode vertex : details.path("vertices")) {
      String id = vertex.path("id").asText();
      if (!fed.contains(id)) {
        sources.add(
            new SourceVertex(id, vertex.path("name").asText(), vertex.path("parallelism").asInt()));
      }
    }
    return sources;
  }
}
