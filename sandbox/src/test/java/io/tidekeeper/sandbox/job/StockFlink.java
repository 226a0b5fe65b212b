package io.tidekeeper.sandbox.job;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidekeeper.sandbox.LocalPorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One application cluster of a stock Flink distribution: its own JobManager and TaskManager as
 * processes, with the job jar in {@code usrlib}, as a FlinkDeployment in application mode has it.
 */
final class StockFlink implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> OPENS =
      List.of(
          "java.base/java.lang=ALL-UNNAMED",
          "java.base/java.net=ALL-UNNAMED",
          "java.base/java.io=ALL-UNNAMED",
          "java.base/java.nio=ALL-UNNAMED",
          "java.base/java.text=ALL-UNNAMED",
          "java.base/java.time=ALL-UNNAMED",
          "java.base/java.util=ALL-UNNAMED",
          "java.base/java.util.concurrent=ALL-UNNAMED");

  private final HttpClient http = HttpClient.newHttpClient();
  private final Path home;
  private final Path dir;
  private final Process jobManager;
  private final Process taskManager;
  private final int restPort = LocalPorts.free();

  private StockFlink(
      Path distribution,
      Path jobJar,
      Path dir,
      String mainClass,
      Map<String, String> options,
      @Nullable String savepoint)
      throws IOException {
    this.home = dir.resolve("home");
    this.dir = dir;
    Files.createDirectories(home.resolve("usrlib"));
    Files.createDirectories(home.resolve("conf"));
    Files.createSymbolicLink(home.resolve("lib"), distribution.resolve("lib").toAbsolutePath());
    Files.copy(jobJar, home.resolve("usrlib").resolve("job.jar"));
    writeConfiguration(options);
    List<String> application = new ArrayList<>(List.of("--job-classname", mainClass));
    if (savepoint != null) {
      application.addAll(List.of("--fromSavepoint", savepoint));
    }
    this.jobManager =
        launch(
            "jobmanager",
            "org.apache.flink.container.entrypoint.StandaloneApplicationClusterEntryPoint",
            application);
    this.taskManager =
        launch("taskmanager", "org.apache.flink.runtime.taskexecutor.TaskManagerRunner", List.of());
  }

  /** Starts the job; {@code savepoint} null for an empty start. */
  static StockFlink start(
      Path distribution,
      Path jobJar,
      Path dir,
      String mainClass,
      Map<String, String> options,
      @Nullable String savepoint) {
    try {
      return new StockFlink(distribution, jobJar, dir, mainClass, options, savepoint);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void writeConfiguration(Map<String, String> options) throws IOException {
    Map<String, String> all = new TreeMap<>(options);
    all.put("rest.port", String.valueOf(restPort));
    all.put("rest.address", "127.0.0.1");
    all.put("rest.bind-address", "127.0.0.1");
    all.put("jobmanager.rpc.address", "127.0.0.1");
    all.put("jobmanager.rpc.port", String.valueOf(LocalPorts.free()));
    all.put("jobmanager.bind-host", "127.0.0.1");
    all.put("taskmanager.host", "127.0.0.1");
    all.put("taskmanager.bind-host", "127.0.0.1");
    all.put("taskmanager.numberOfTaskSlots", "2");
    // What the distribution's shell scripts compute from one total.
    all.put("taskmanager.cpu.cores", "2.0");
    all.put("taskmanager.memory.task.heap.size", "192m");
    all.put("taskmanager.memory.task.off-heap.size", "0b");
    all.put("taskmanager.memory.managed.size", "64m");
    all.put("taskmanager.memory.network.min", "64m");
    all.put("taskmanager.memory.network.max", "64m");
    all.put("taskmanager.memory.framework.heap.size", "128m");
    all.put("taskmanager.memory.framework.off-heap.size", "128m");
    all.put("taskmanager.memory.jvm-metaspace.size", "256m");
    all.put("taskmanager.memory.jvm-overhead.min", "192m");
    all.put("taskmanager.memory.jvm-overhead.max", "192m");
    all.put("execution.checkpointing.dir", dir.resolve("checkpoints").toUri().toString());
    all.put("io.tmp.dirs", dir.resolve("tmp").toString());
    StringBuilder yaml = new StringBuilder();
    all.forEach((key, value) -> yaml.append(key).append(": '").append(value).append("'\n"));
    Files.writeString(home.resolve("conf").resolve("config.yaml"), yaml);
    Files.writeString(
        home.resolve("conf").resolve("log4j.properties"),
        """
        rootLogger.level = INFO
        rootLogger.appenderRef.console.ref = console
        appender.console.name = console
        appender.console.type = CONSOLE
        appender.console.layout.type = PatternLayout
        appender.console.layout.pattern = %d %-5p %c{1} - %m%n
        """);
  }

  private Process launch(String role, String mainClass, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.add("-Xmx512m");
    command.add("-Dlog4j.configurationFile=" + home.resolve("conf").resolve("log4j.properties"));
    for (String open : OPENS) {
      command.add("--add-opens=" + open);
    }
    command.addAll(List.of("-cp", home.resolve("lib") + "/*", mainClass));
    command.addAll(List.of("--configDir", home.resolve("conf").toString()));
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log(role).toFile());
    builder.environment().put("FLINK_LIB_DIR", home.resolve("lib").toString());
    builder.environment().put("FLINK_CONF_DIR", home.resolve("conf").toString());
    builder.environment().put("FLINK_PLUGINS_DIR", home.resolve("plugins").toString());
    return builder.start();
  }

  private Path log(String role) {
    return dir.resolve(role + ".log");
  }

  /** Refuses to wait for a cluster that has ended. */
  void checkAlive() {
    if (!jobManager.isAlive() || !taskManager.isAlive()) {
      throw new IllegalStateException("a Flink process has ended\n" + logs());
    }
  }

  /** What both processes have written so far. */
  String logs() {
    try {
      return Files.readString(log("jobmanager")) + Files.readString(log("taskmanager"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Stops the job with a savepoint, and waits until its JobManager has ended. */
  String stopWithSavepoint(Path target) {
    String job = get("/jobs").get("jobs").get(0).get("id").asText();
    String request =
        post(
                "/jobs/" + job + "/stop",
                "{\"targetDirectory\": \"%s\", \"drain\": false}".formatted(target.toUri()))
            .get("request-id")
            .asText();
    String[] location = new String[1];
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              JsonNode answer = get("/jobs/" + job + "/savepoints/" + request);
              JsonNode operation = answer.path("operation");
              if (operation.has("failure-cause")) {
                throw new IllegalStateException(operation.get("failure-cause").toString());
              }
              location[0] = operation.path("location").asText();
              return answer.get("status").get("id").asText().equals("COMPLETED");
            });
    await().atMost(PATIENCE).until(() -> !jobManager.isAlive());
    return location[0];
  }

  private JsonNode get(String path) {
    return send(HttpRequest.newBuilder(uri(path)).GET().build());
  }

  private JsonNode post(String path, String body) {
    return send(
        HttpRequest.newBuilder(uri(path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build());
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + restPort + path);
  }

  private JsonNode send(HttpRequest request) {
    try {
      return JSON.readTree(http.send(request, HttpResponse.BodyHandlers.ofString()).body());
    } catch (IOException e) {
      throw new UncheckedIOException("no answer from " + request.uri() + "\n" + logs(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    for (Process process : List.of(taskManager, jobManager)) {
      process.destroy();
      try {
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }
}
