package io.tidekeeper.controller.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Questions to one JobManager. Every answer comes within a few seconds or not at all. */
final class FlinkRest {

  /** Flink's server takes request lines of up to 4096 characters. */
  private static final int LONGEST_QUERY = 3000;

  private final HttpClient client;
  private final Duration timeout;
  private final String base;
  private final ObjectMapper mapper = new ObjectMapper();

  FlinkRest(HttpClient client, Duration timeout, String base) {
    this.client = client;
    this.timeout = timeout;
    this.base = base;
  }

  /** The answer to a GET request. */
  JsonNode get(String path) throws JobUnavailableException {
    JsonNode answer = find(path);
    if (answer.isMissingNode()) {
      throw new JobUnavailableException("%s%s is not there".formatted(base, path));
    }
    return answer;
  }

  /** The same, but what is not there is a missing node. */
  JsonNode find(String path) throws JobUnavailableException {
    HttpResponse<String> response = send(path);
    if (response.statusCode() == 404) {
      return MissingNode.getInstance();
    }
    if (response.statusCode() != 200) {
      throw new JobUnavailableException(
          "%s%s answers with status %d".formatted(base, path, response.statusCode()));
    }
    return parse(path, response.body());
  }

  /** The names of the metrics that there are. */
  List<String> metricNames(String path) throws JobUnavailableException {
    List<String> names = new ArrayList<>();
    get(path).forEach(metric -> names.add(metric.path("id").asText()));
    return names;
  }

  /** The values of metrics; one that is not there has none. */
  Map<String, String> metrics(String path, List<String> names) throws JobUnavailableException {
    Map<String, String> values = new HashMap<>();
    StringBuilder query = new StringBuilder();
    for (String name : names) {
      String encoded = URLEncoder.encode(name, UTF_8);
      if (!query.isEmpty() && query.length() + encoded.length() >= LONGEST_QUERY) {
        ask(path, query, values);
        query.setLength(0);
      }
      query.append(query.isEmpty() ? "" : ",").append(encoded);
    }
    if (!query.isEmpty()) {
      ask(path, query, values);
    }
    return values;
  }

  private void ask(String path, CharSequence query, Map<String, String> values)
      throws JobUnavailableException {
    get(path + "?get=" + query)
        .forEach(metric -> values.put(metric.path("id").asText(), metric.path("value").asText()));
  }

  private HttpResponse<String> send(String path) throws JobUnavailableException {
    CompletableFuture<HttpResponse<String>> answer =
        client.sendAsync(
            HttpRequest.newBuilder(URI.create(base + path)).GET().build(),
            HttpResponse.BodyHandlers.ofString(UTF_8));
    try {
      // The time holds for the body too, which a request's own timeout does not cover.
      return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new JobUnavailableException("%s%s: %s".formatted(base, path, e.getCause()), e);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new JobUnavailableException(
          "%s%s did not answer within %d ms".formatted(base, path, timeout.toMillis()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new JobUnavailableException("interrupted while asking " + base, e);
    }
  }

  private JsonNode parse(String path, String body) throws JobUnavailableException {
    try {
      return mapper.readTree(body);
    } catch (JsonProcessingException e) {
      throw new JobUnavailableException("%s%s answers with no JSON".formatted(base, path), e);
    }
  }
}
