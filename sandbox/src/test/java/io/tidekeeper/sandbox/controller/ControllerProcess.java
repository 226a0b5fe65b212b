package io.tidekeeper.sandbox.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidekeeper.controller.app.Main;
import io.tidekeeper.sandbox.LocalPorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The controller as a process of its own, under its own identity, for one namespace. */
final class ControllerProcess implements AutoCloseable {

  private static final int KILLED = 128 + 9;

  private final Process process;
  private final int port;
  private final Path log;

  private ControllerProcess(Process process, int port, Path log) {
    this.process = process;
    this.port = port;
    this.log = log;
  }

  /**
   * Starts one.
   *
   * @param log what it says is added to this file
   */
  static ControllerProcess start(Chain chain, String namespace, Path log) {
    int port = LocalPorts.free();
    ProcessBuilder builder =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "--namespaces",
                namespace,
                "--rest-address",
                chain.flink.restUri().toString(),
                "--bind-address",
                "127.0.0.1",
                "--port",
                String.valueOf(port),
                "--no-leader-election")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().put("KUBECONFIG", chain.cluster.controllerKubeconfig().toString());
    try {
      return new ControllerProcess(builder.start(), port, log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until its caches follow the cluster. */
  void awaitReady() {
    await("the controller to be ready; its log is " + log)
        .atMost(Cluster.PATIENCE)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () -> {
              assertThat(process.isAlive()).as("the controller lives; its log is %s", log).isTrue();
              return isReady();
            });
  }

  /** SIGKILL, at once; does not wait. */
  void kill() {
    process.destroyForcibly();
  }

  /** Waits until a killed one is dead. */
  void awaitDeath() {
    try {
      assertThat(process.waitFor(Cluster.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    assertThat(process.exitValue()).isEqualTo(KILLED);
  }

  @Override
  public void close() {
    kill();
    awaitDeath();
  }

  private boolean isReady() throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:%d/healthz/ready".formatted(port));
    return HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
            .statusCode()
        == 200;
  }
}
