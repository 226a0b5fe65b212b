package io.tidekeeper.controller.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Serves health and metrics: {@code /healthz/live}, {@code /healthz/ready} and {@code /metrics}.
 */
final class HttpEndpoint implements AutoCloseable {

  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private final HttpServer server;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(
          2,
          task -> {
            Thread thread = new Thread(task, "http");
            thread.setDaemon(true);
            return thread;
          });

  private HttpEndpoint(HttpServer server) {
    this.server = server;
  }

  /**
   * Starts serving.
   *
   * @throws UncheckedIOException if the address cannot be taken
   */
  static HttpEndpoint start(
      InetSocketAddress address,
      BooleanSupplier live,
      BooleanSupplier ready,
      Supplier<String> metrics) {
    HttpServer server;
    try {
      server = HttpServer.create(address, 0);
    } catch (IOException e) {
      throw new UncheckedIOException("health and metrics cannot be served on " + address, e);
    }
    HttpEndpoint endpoint = new HttpEndpoint(server);
    server.setExecutor(endpoint.threads);
    endpoint.serve("/healthz/live", () -> health(live));
    endpoint.serve("/healthz/ready", () -> health(ready));
    endpoint.serve("/metrics", () -> new Answer(200, PROMETHEUS, metrics.get()));
    server.start();
    return endpoint;
  }

  /** The port it listens on. */
  int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdown();
  }

  private record Answer(int status, String type, String text) {}

  private static Answer health(BooleanSupplier healthy) {
    return healthy.getAsBoolean() ? new Answer(200, TEXT, "ok\n") : new Answer(503, TEXT, "no\n");
  }

  private void serve(String path, Supplier<Answer> answer) {
    server.createContext(
        path,
        exchange -> {
          try (exchange) {
            Answer given =
                exchange.getRequestURI().getPath().equals(path)
                    ? answer.get()
                    : new Answer(404, TEXT, "not found\n");
            byte[] body = given.text().getBytes(UTF_8);
            exchange.getResponseHeaders().set("Content-Type", given.type());
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(given.status(), head ? -1 : body.length);
            if (!head) {
              exchange.getResponseBody().write(body);
            }
          }
        });
  }
}
