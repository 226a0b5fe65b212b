package io.tidekeeper.sandbox.flink;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.flink.api.common.JobID;

/** What the sandbox asks of Flink's REST API and of the Prometheus endpoint. */
final class FlinkRest {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);
  private static final int METRICS_PER_REQUEST = 40;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();
  private final ObjectMapper mapper = new ObjectMapper();
  private final URI base;

  FlinkRest(URI base) {
    this.base = base;
  }

  List<Metric> vertexMetrics(JobID jobId, Pattern name) {
    List<Metric> metrics = new ArrayList<>();
    for (JsonNode vertex : json("/jobs/" + jobId).path("vertices")) {
      String path = "/jobs/%s/vertices/%s/metrics".formatted(jobId, vertex.path("id").asText());
      List<String> ids = new ArrayList<>();
      for (JsonNode metric : json(path)) {
        String id = metric.path("id").asText();
        if (name.matcher(afterSubtask(id)).matches()) {
          ids.add(id);
        }
      }
      for (int from = 0; from < ids.size(); from += METRICS_PER_REQUEST) {
        List<String> some = ids.subList(from, Math.min(ids.size(), from + METRICS_PER_REQUEST));
        metrics.addAll(values(path, some, vertex.path("name").asText()));
      }
    }
    return metrics;
  }

  /** The body of a GET request that must succeed. */
  String get(URI uri) {
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(TIMEOUT).GET().build();
    try {
      HttpResponse<String> response =
          client.send(request, HttpResponse.BodyHandlers.ofString(UTF_8));
      if (response.statusCode() != 200) {
        throw new IllegalStateException(
            "GET %s: status %d, %s".formatted(uri, response.statusCode(), response.body()));
      }
      return response.body();
    } catch (IOException e) {
      throw new IllegalStateException("GET %s: %s".formatted(uri, e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("GET %s: interrupted".formatted(uri), e);
    }
  }

  private List<Metric> values(String path, List<String> ids, String vertex) {
    String get =
        ids.stream().map(id -> URLEncoder.encode(id, UTF_8)).collect(Collectors.joining(","));
    List<Metric> metrics = new ArrayList<>();
    for (JsonNode metric : json(path + "?get=" + get)) {
      String id = metric.path("id").asText();
      int subtask = Integer.parseInt(id.substring(0, id.indexOf('.')));
      metrics.add(new Metric(vertex, subtask, afterSubtask(id), metric.path("value").asText()));
    }
    return metrics;
  }

  private JsonNode json(String path) {
    String body = get(base.resolve(path));
    try {
      return mapper.readTree(body);
    } catch (IOException e) {
      throw new IllegalStateException("GET %s: not JSON: %s".formatted(path, body), e);
    }
  }

  private static String afterSubtask(String id) {
    return id.substring(id.indexOf('.') + 1);
  }
}
