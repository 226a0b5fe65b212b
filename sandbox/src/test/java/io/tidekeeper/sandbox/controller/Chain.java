package io.tidekeeper.sandbox.controller;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.tidekeeper.controller.app.ControllerSettings;
import io.tidekeeper.controller.app.TidekeeperController;
import io.tidekeeper.sandbox.Folders;
import io.tidekeeper.sandbox.flink.FlinkCluster;
import io.tidekeeper.sandbox.kafka.KafkaBroker;
import io.tidekeeper.sandbox.operator.StandInOperator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Everything between a policy and the metrics of the job that runs on it, controllers apart: an API
 * server, the stand-in for the Flink operator, Flink and Kafka. It is started once for all tests
 * that ask for it; each works in namespaces of its own.
 */
final class Chain implements AutoCloseable {

  private static final int SLOTS = 8;

  final Cluster cluster;
  final KafkaBroker broker;
  final FlinkCluster flink;
  private final Path folder;
  private final StandInOperator operator;

  private Chain(Path folder, Cluster cluster) {
    this.folder = folder;
    this.cluster = cluster;
    this.broker = KafkaBroker.start(folder.resolve("kafka"));
    this.flink = FlinkCluster.in(folder.resolve("flink")).taskManagers(1, SLOTS).start();
    this.operator = StandInOperator.on(cluster.admin(), flink).classPath(Cluster.JAR).start();
  }

  /** A namespace nobody has used, and topics for a job in it. */
  Subway subway() {
    return new Subway(this, cluster.newNamespace(), folder);
  }

  /** Starts a controller in this JVM that sees to one namespace only. */
  Controller controller(String namespace) {
    ControllerSettings all = Cluster.settings(flink.restUri().toString());
    ControllerSettings one =
        new ControllerSettings(
            Set.of(namespace), all.restAddress(), all.paused(), all.http(), all.lease());
    KubernetesClient client = cluster.controllerClient();
    return new Controller(client, cluster.controller(client, one));
  }

  @Override
  public void close() throws IOException {
    operator.close();
    flink.close();
    broker.close();
    cluster.close();
    Folders.delete(folder);
  }

  /** A controller with the client it acts by. */
  record Controller(KubernetesClient client, TidekeeperController running)
      implements AutoCloseable {
    @Override
    public void close() {
      running.close();
      client.close();
    }
  }

  /** Gives the one chain to whoever has it as a parameter. */
  static final class Shared implements BeforeAllCallback, ParameterResolver {

    @Override
    public void beforeAll(ExtensionContext context) {
      Cluster.assume();
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == Chain.class;
    }

    @Override
    public @Nullable Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return context
          .getRoot()
          .getStore(ExtensionContext.Namespace.create(Chain.class))
          .getOrComputeIfAbsent(Chain.class, key -> start(), Chain.class);
    }

    private static Chain start() {
      try {
        Path folder = Files.createTempDirectory("chain");
        Cluster cluster = Cluster.start(folder);
        if (cluster == null) {
          throw new IllegalStateException("there is no control plane");
        }
        return new Chain(folder, cluster);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
