package io.tidekeeper.sandbox.flink;

import io.tidekeeper.sandbox.LocalPorts;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.flink.configuration.Configuration;

/** The Flink configuration of a cluster whose files and ports stay on this machine. */
record ClusterSettings(
    Path dir,
    int taskManagers,
    int slotsPerTaskManager,
    int restPort,
    int prometheusPort,
    String ticket,
    Map<String, String> overrides) {

  ClusterSettings {
    if (taskManagers < 1 || slotsPerTaskManager < 1) {
      throw new IllegalArgumentException(
          "a cluster needs at least 1 task manager with 1 slot, not %d with %d"
              .formatted(taskManagers, slotsPerTaskManager));
    }
    overrides = Map.copyOf(overrides);
  }

  Path checkpoints() {
    return dir.resolve("checkpoints").toAbsolutePath();
  }

  Path savepoints() {
    return dir.resolve("savepoints").toAbsolutePath();
  }

  Configuration toConfiguration() {
    Configuration configuration = new Configuration();
    addresses().forEach(configuration::setString);
    files().forEach(configuration::setString);
    // The broker brings Kafka's classes, the class path of this JVM Flink's connector. Flink loads
    // the
    // connector from the parent, so a job jar's own Kafka classes would not fit it.
    configuration.setString("classloader.parent-first-patterns.additional", "org.apache.kafka.");
    metrics().forEach(configuration::setString);
    overrides.forEach(configuration::setString);
    return configuration;
  }

  private Map<String, String> addresses() {
    return Map.of(
        "jobmanager.bind-host", blobServerAddress(),
        "taskmanager.bind-host", "127.0.0.1",
        "taskmanager.host", "127.0.0.1",
        "rest.address", "127.0.0.1",
        "rest.bind-address", "127.0.0.1",
        "rest.bind-port", Integer.toString(restPort),
        // Nothing travels through the blob server, wherever it can be reached.
        "blob.offload.minsize", Integer.toString(256 << 20));
  }

  private Map<String, String> files() {
    return Map.of(
        "execution.checkpointing.dir", checkpoints().toUri().toString(),
        "execution.checkpointing.savepoint-dir", savepoints().toUri().toString(),
        "io.tmp.dirs", dir.resolve("tmp").toAbsolutePath().toString(),
        "process.working-dir", dir.resolve("work").toAbsolutePath().toString(),
        "web.tmpdir", dir.resolve("web").toAbsolutePath().toString());
  }

  private Map<String, String> metrics() {
    String reporter = "metrics.reporter.prom.";
    return Map.of(
        "metrics.reporters",
        "prom",
        reporter + "factory.class",
        LoopbackPrometheusReporter.Factory.class.getName(),
        reporter + "port",
        Integer.toString(prometheusPort),
        reporter + "ticket",
        ticket,
        reporter + "filterLabelValueCharacters",
        "false",
        "metrics.fetcher.update-interval",
        "1 s",
        "web.refresh-interval",
        "1 s",
        "web.submit.enable",
        "false");
  }

  /** Flink's blob client connects to what this machine calls itself, if that is on the loopback. */
  private static String blobServerAddress() {
    try {
      InetAddress local = InetAddress.getLocalHost();
      return local.isLoopbackAddress() ? local.getHostAddress() : "127.0.0.1";
    } catch (UnknownHostException e) {
      return LocalPorts.loopback().getHostAddress();
    }
  }
}
