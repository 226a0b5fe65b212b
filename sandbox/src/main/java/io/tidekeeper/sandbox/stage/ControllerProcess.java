package io.tidekeeper.sandbox.stage;

import io.fabric8.kubernetes.client.Config;
import io.tidekeeper.controller.app.Main;
import io.tidekeeper.sandbox.LocalPorts;
import io.tidekeeper.sandbox.Patience;
import io.tidekeeper.sandbox.kube.KubeApi;
import io.tidekeeper.sandbox.process.EndsWithStdin;
import io.tidekeeper.sandbox.process.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The controller as it is shipped: its own program, in a process of its own. */
public final class ControllerProcess implements AutoCloseable {

  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(20);
  private static final Duration PROBE_LIMIT = Duration.ofSeconds(5);
  private static final int START_ATTEMPTS = 3;

  private final ServerProcess process;
  private final int port;

  private ControllerProcess(ServerProcess process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts it and waits until it is ready.
   *
   * @param api where it finds policies and deployments
   * @param user who it is there
   * @param restAddress the jobs' REST API
   * @param dir where its log goes
   * @param more options of the controller
   * @throws IllegalStateException when it ends, or is not ready within two minutes; the message
   *     holds the end of its log
   */
  public static ControllerProcess start(
      KubeApi api, String user, URI restAddress, Path dir, String... more) {
    for (int attempt = 1; ; attempt++) {
      int port = LocalPorts.free();
      ServerProcess process = launch(api, user, restAddress, dir, port, more);
      ControllerProcess controller = new ControllerProcess(process, port);
      try {
        Patience.until(
            "the controller to be ready",
            START_LIMIT,
            () -> {
              process.checkAlive();
              return controller.isReady();
            },
            process::logTail);
        return controller;
      } catch (RuntimeException e) {
        controller.close();
        if (attempt == START_ATTEMPTS || LocalPorts.isFree(port)) {
          throw e;
        }
        // Somebody else has taken the port meanwhile.
      }
    }
  }

  /** Where it serves its metrics. */
  public URI metricsUri() {
    return URI.create("http://127.0.0.1:%d/metrics".formatted(port));
  }

  /** Kills it at once; does not wait. */
  public void kill() {
    process.kill();
  }

  /**
   * Waits until it has ended.
   *
   * @return its exit code; 128 + 9 when it was killed
   * @throws IllegalStateException when it takes longer than the limit
   */
  public int awaitExit(Duration limit) {
    return process.awaitExit(limit);
  }

  /** Asks it to stop, and waits until it has. */
  @Override
  public void close() {
    process.requestStop();
    process.awaitStop(STOP_LIMIT);
  }

  private static ServerProcess launch(
      KubeApi api, String user, URI restAddress, Path dir, int port, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dlog4j2.configurationFile=tidekeeper-log4j2.xml"));
    Config config = api.configFor(user);
    if (config.getImpersonateUsername() != null) {
      // The client does not read this from a kubeconfig.
      arguments.add(
          "-D%s=%s"
              .formatted(Config.KUBERNETES_IMPERSONATE_USERNAME, config.getImpersonateUsername()));
    }
    arguments.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            EndsWithStdin.class.getName(),
            Main.class.getName(),
            "--rest-address=" + restAddress,
            "--bind-address=127.0.0.1",
            "--port=" + port));
    arguments.addAll(List.of(more));
    try {
      Files.createDirectories(dir);
    } catch (IOException e) {
      throw new UncheckedIOException("the folder %s cannot be made".formatted(dir), e);
    }
    return ServerProcess.start(
        "the controller",
        Path.of(System.getProperty("java.home"), "bin", "java"),
        arguments,
        Map.of("KUBECONFIG", api.kubeconfig(user).toString()),
        Path.of("").toAbsolutePath(),
        dir.resolve("controller.log"));
  }

  private boolean isReady() {
    HttpRequest request =
        HttpRequest.newBuilder(metricsUri().resolve("/healthz/ready")).timeout(PROBE_LIMIT).build();
    try {
      return HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode()
          == HttpURLConnection.HTTP_OK;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the controller", e);
    }
  }
}
