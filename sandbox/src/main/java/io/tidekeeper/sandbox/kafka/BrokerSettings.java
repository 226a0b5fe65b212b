package io.tidekeeper.sandbox.kafka;

import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

/** Where a broker listens and stores, and what it overrides of the small-machine settings. */
record BrokerSettings(Path dir, int port, int controllerPort, Map<String, String> overrides) {
  static final int NODE_ID = 1;
  static final String CONTROLLER_LISTENER = "CONTROLLER";

  BrokerSettings {
    overrides = Map.copyOf(overrides);
  }

  Path logDir() {
    return dir.resolve("log").toAbsolutePath();
  }

  Properties toProperties() {
    Properties properties = new Properties();
    properties.putAll(identity());
    properties.putAll(smallMachine());
    properties.putAll(overrides);
    return properties;
  }

  private Map<String, String> identity() {
    String broker = "PLAINTEXT://127.0.0.1:" + port;
    return Map.of(
        "process.roles",
        "broker,controller",
        "node.id",
        Integer.toString(NODE_ID),
        "controller.quorum.voters",
        NODE_ID + "@127.0.0.1:" + controllerPort,
        "listeners",
        broker + "," + CONTROLLER_LISTENER + "://127.0.0.1:" + controllerPort,
        "advertised.listeners",
        broker,
        "controller.listener.names",
        CONTROLLER_LISTENER,
        "inter.broker.listener.name",
        "PLAINTEXT",
        "listener.security.protocol.map",
        "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
        "log.dirs",
        logDir().toString());
  }

  private static Map<String, String> smallMachine() {
    return Map.ofEntries(
        Map.entry("auto.create.topics.enable", "false"),
        Map.entry("group.initial.rebalance.delay.ms", "0"),
        Map.entry("log.cleaner.dedupe.buffer.size", "4194304"),
        Map.entry("log.retention.ms", "-1"),
        Map.entry("num.io.threads", "4"),
        Map.entry("num.network.threads", "2"),
        Map.entry("offsets.topic.num.partitions", "2"),
        Map.entry("offsets.topic.replication.factor", "1"),
        Map.entry("share.coordinator.state.topic.min.isr", "1"),
        Map.entry("share.coordinator.state.topic.num.partitions", "1"),
        Map.entry("share.coordinator.state.topic.replication.factor", "1"),
        Map.entry("transaction.state.log.min.isr", "1"),
        Map.entry("transaction.state.log.num.partitions", "4"),
        Map.entry("transaction.state.log.replication.factor", "1"));
  }
}
