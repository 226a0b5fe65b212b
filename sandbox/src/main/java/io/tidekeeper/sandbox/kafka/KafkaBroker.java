package io.tidekeeper.sandbox.kafka;

import io.tidekeeper.sandbox.LocalPorts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.utils.Exit;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real Kafka broker, KRaft controller included, in this JVM and on 127.0.0.1 only.
 *
 * <p>Data live in the directory given at the start and survive {@link #stop()} and {@link
 * #restart()}, which keeps the port too. Several brokers can run side by side. Topics are not
 * created by mere use; records are kept for ever.
 *
 * <p>A fatal fault inside Kafka would end the process; while this class is loaded it is thrown as
 * an exception instead.
 *
 * <p>Not thread-safe: start, stop and restart from one thread.
 */
public final class KafkaBroker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaBroker.class);
  private static final int START_ATTEMPTS = 5;
  private static final long ADMIN_TIMEOUT_SECONDS = 60;

  static {
    Exit.setExitProcedure(KafkaBroker::refuseToEnd);
    Exit.setHaltProcedure(KafkaBroker::refuseToEnd);
  }

  private final BrokerSettings settings;
  private @Nullable KafkaRaftServer server;

  private KafkaBroker(BrokerSettings settings) {
    this.settings = settings;
  }

  /**
   * Starts a broker with default settings on a free port.
   *
   * @param dir where the data go; created if missing, reused if it holds a broker's data
   */
  public static KafkaBroker start(Path dir) {
    return in(dir).start();
  }

  /** Prepares a broker whose data go to {@code dir}. */
  public static Builder in(Path dir) {
    return new Builder(dir);
  }

  /** The address for clients, {@code 127.0.0.1:port}; the same over stop and restart. */
  public String bootstrapServers() {
    return "127.0.0.1:" + settings.port();
  }

  /** The port for clients; the same over stop and restart. */
  public int port() {
    return settings.port();
  }

  /** Whether the broker runs. */
  public boolean isRunning() {
    return server != null;
  }

  /** Stops the broker and keeps its data; nothing happens when it is stopped already. */
  public void stop() {
    KafkaRaftServer running = server;
    if (running != null) {
      server = null;
      running.shutdown();
      running.awaitShutdown();
    }
  }

  /**
   * Starts a stopped broker again, on the same port and data.
   *
   * @throws IllegalStateException when it runs, or when its port has been taken meanwhile
   */
  public void restart() {
    if (server != null) {
      throw new IllegalStateException(
          "the Kafka broker at %s is running".formatted(bootstrapServers()));
    }
    server = launch(settings);
  }

  /** Stops the broker. */
  @Override
  public void close() {
    stop();
  }

  /** Creates a topic with the broker's default topic settings. */
  public void createTopic(String name, int partitions) {
    createTopic(name, partitions, Map.of());
  }

  /**
   * Creates a topic and waits until it is there.
   *
   * @param partitions at least 1
   * @param configs topic settings by Kafka's own names, such as {@code cleanup.policy}
   * @throws IllegalStateException when the topic exists, or the broker refuses it
   */
  public void createTopic(String name, int partitions, Map<String, String> configs) {
    NewTopic topic = new NewTopic(name, Optional.of(partitions), Optional.empty()).configs(configs);
    try (Admin admin = admin()) {
      admin.createTopics(List.of(topic)).all().get(ADMIN_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TopicExistsException) {
        throw new IllegalStateException("topic '%s' exists already".formatted(name), e);
      }
      throw new IllegalStateException(
          "topic '%s' could not be created: %s".formatted(name, e.getCause()), e);
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "topic '%s' was not created within %d s".formatted(name, ADMIN_TIMEOUT_SECONDS), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while creating topic '%s'".formatted(name), e);
    }
  }

  /** A new admin client of this broker; the caller closes it. */
  public Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", bootstrapServers()));
  }

  private static KafkaRaftServer launch(BrokerSettings settings) {
    if (!LocalPorts.isFree(settings.port())) {
      throw new IllegalStateException(
          "port %d on 127.0.0.1 is in use: the Kafka broker cannot listen there; choose another"
              .formatted(settings.port()));
    }
    KafkaConfig config = KafkaConfig.fromProps(settings.toProperties(), false);
    KafkaRaftServer server = null;
    try {
      LogDirectory.format(settings);
      server = new KafkaRaftServer(config, Time.SYSTEM);
      server.startup();
      return server;
    } catch (IOException | RuntimeException e) {
      shutDownQuietly(server);
      throw new IllegalStateException(
          "the Kafka broker did not start at 127.0.0.1:%d with its data in %s: %s"
              .formatted(settings.port(), settings.dir(), e),
          e);
    }
  }

  private static void shutDownQuietly(@Nullable KafkaRaftServer server) {
    if (server == null) {
      return;
    }
    try {
      server.shutdown();
    } catch (RuntimeException e) {
      LOG.warn("A Kafka broker that failed to start did not shut down cleanly", e);
    }
  }

  private static void refuseToEnd(int status, @Nullable String message) {
    throw new IllegalStateException(
        "Kafka asked to end the process with status %d: %s".formatted(status, message));
  }

  /** What a broker is to be like before it starts. */
  public static final class Builder {
    private final Path dir;
    private final Map<String, String> overrides = new TreeMap<>();
    private int port;

    private Builder(Path dir) {
      this.dir = dir;
    }

    /**
     * Listens on this port; by default (0) on a free one.
     *
     * @param port 0 to 65535
     */
    public Builder port(int port) {
      this.port = port;
      return this;
    }

    /** Sets a broker setting by Kafka's own name, such as {@code transaction.max.timeout.ms}. */
    public Builder setting(String name, String value) {
      overrides.put(name, value);
      return this;
    }

    /**
     * Starts the broker; it is ready for clients when this returns.
     *
     * @throws IllegalStateException when the given port is in use, or the broker does not start
     */
    public KafkaBroker start() {
      for (int attempt = 1; ; attempt++) {
        KafkaBroker broker =
            new KafkaBroker(
                new BrokerSettings(
                    dir, port == 0 ? LocalPorts.free() : port, LocalPorts.free(), overrides));
        try {
          broker.restart();
          return broker;
        } catch (IllegalStateException e) {
          boolean lostPort =
              !LocalPorts.isFree(broker.settings.controllerPort())
                  || (port == 0 && !LocalPorts.isFree(broker.settings.port()));
          if (!lostPort || attempt == START_ATTEMPTS) {
            throw e;
          }
          LOG.info("A port was taken while the broker started, trying others", e);
        }
      }
    }
  }
}
