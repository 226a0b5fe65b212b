package io.tidekeeper.sandbox.kube;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidekeeper.sandbox.LocalPorts;
import io.tidekeeper.sandbox.process.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * etcd, kube-apiserver and kube-controller-manager as processes of this machine, on 127.0.0.1 only.
 * There is no kubelet and no scheduler: what it holds is real, but nothing gets pods.
 *
 * <p>The folder holds {@code etcd} (the data), {@code certs}, {@code logs}, the signing key and the
 * tokens. Data of an earlier start in the same folder are taken up again.
 */
final class ControlPlane {
  private static final Logger LOG = LoggerFactory.getLogger(ControlPlane.class);
  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final Duration PROBE_LIMIT = Duration.ofSeconds(5);
  private static final Duration PROBE_INTERVAL = Duration.ofMillis(50);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(10);
  private static final int START_ATTEMPTS = 3;

  private final Binaries binaries;
  private final Path folder;
  private final Map<String, String> tokens;
  private final int etcdPort;
  private final int etcdPeerPort;
  private final int port;

  /** In the order of their start. */
  private final List<ServerProcess> processes = new ArrayList<>();

  private ControlPlane(
      Binaries binaries, Path folder, Map<String, String> tokens, List<Integer> ports) {
    this.binaries = binaries;
    this.folder = folder;
    this.tokens = tokens;
    this.etcdPort = ports.get(0);
    this.etcdPeerPort = ports.get(1);
    this.port = ports.get(2);
  }

  /**
   * Starts etcd and the API server, and waits until the latter is ready.
   *
   * @param prober one of the identities, one that may read everything
   * @throws IllegalStateException when a process ends, or it is not ready within two minutes; the
   *     message holds the end of the log that tells why
   */
  static ControlPlane start(
      Binaries binaries, Path folder, Collection<KubeIdentity> identities, KubeIdentity prober) {
    Path absolute = folder.toAbsolutePath().normalize();
    Map<String, String> tokens = prepare(absolute, identities);
    for (int attempt = 1; ; attempt++) {
      ControlPlane controlPlane = new ControlPlane(binaries, absolute, tokens, FreePorts.pick(3));
      try {
        controlPlane.startEtcd();
        controlPlane.startApiServer();
        controlPlane.awaitReady(prober);
        return controlPlane;
      } catch (RuntimeException e) {
        controlPlane.stop();
        if (attempt == START_ATTEMPTS || !controlPlane.lostPort()) {
          throw e;
        }
        LOG.info("A port was taken while the control plane started, trying others", e);
      }
    }
  }

  /**
   * Starts the garbage collector, the namespace controller and the aggregation of cluster roles.
   *
   * @param kubeconfig of somebody who may do everything
   */
  void startControllerManager(Path kubeconfig) {
    launch(
        binaries.controllerManager(),
        "--kubeconfig=" + kubeconfig.toAbsolutePath(),
        "--controllers=garbage-collector-controller,namespace-controller,"
            + "clusterrole-aggregation-controller",
        "--leader-elect=false",
        "--secure-port=0");
  }

  String url() {
    return "https://127.0.0.1:" + port;
  }

  io.fabric8.kubernetes.api.model.Config kubeconfig(KubeIdentity identity) {
    String token = tokens.get(identity.user());
    if (token == null) {
      throw new IllegalArgumentException("'%s' has no token".formatted(identity.user()));
    }
    return Kubeconfigs.withToken(url(), caFile(), identity.user(), token);
  }

  List<ProcessHandle> handles() {
    return processes.stream().map(ServerProcess::handle).toList();
  }

  /** Stops all processes, the last started first; one that does not stop is killed after 10 s. */
  void stop() {
    Deque<ServerProcess> lastFirst = new ArrayDeque<>();
    processes.forEach(lastFirst::push);
    for (ServerProcess process : lastFirst) {
      process.requestStop();
      process.awaitStop(STOP_LIMIT);
    }
  }

  private static Map<String, String> prepare(Path folder, Collection<KubeIdentity> identities) {
    try {
      Files.createDirectories(folder.resolve("logs"));
    } catch (IOException e) {
      throw new UncheckedIOException("the folder %s cannot be made".formatted(folder), e);
    }
    Credentials.writeSigningKey(folder.resolve("sa.key"));
    return Credentials.writeTokens(folder.resolve("tokens.csv"), identities);
  }

  private void startEtcd() {
    String clients = "http://127.0.0.1:" + etcdPort;
    String peers = "http://127.0.0.1:" + etcdPeerPort;
    launch(
        binaries.etcd(),
        "--data-dir=" + folder.resolve("etcd"),
        "--listen-client-urls=" + clients,
        "--advertise-client-urls=" + clients,
        "--listen-peer-urls=" + peers,
        "--initial-advertise-peer-urls=" + peers,
        "--initial-cluster=default=" + peers,
        "--unsafe-no-fsync");
  }

  private void startApiServer() {
    Path signingKey = folder.resolve("sa.key");
    launch(
        binaries.apiServer(),
        "--etcd-servers=http://127.0.0.1:" + etcdPort,
        "--secure-port=" + port,
        "--bind-address=127.0.0.1",
        "--advertise-address=127.0.0.1",
        "--cert-dir=" + folder.resolve("certs"),
        "--service-account-issuer=https://kubernetes.default.svc",
        "--service-account-key-file=" + signingKey,
        "--service-account-signing-key-file=" + signingKey,
        "--token-auth-file=" + folder.resolve("tokens.csv"),
        "--authorization-mode=RBAC",
        "--service-cluster-ip-range=10.0.0.0/24",
        // The service 'kubernetes' may not have an endpoint on the loopback interface.
        "--endpoint-reconciler-type=none",
        // Without kubelets nobody makes the default service accounts that this one asks for.
        "--disable-admission-plugins=ServiceAccount",
        "--enable-admission-plugins=OwnerReferencesPermissionEnforcement");
  }

  private void launch(Path binary, String... arguments) {
    String name = String.valueOf(binary.getFileName());
    Path log = folder.resolve("logs").resolve(name + ".log");
    processes.add(ServerProcess.start(name, binary, List.of(arguments), Map.of(), folder, log));
  }

  /**
   * The API server makes its certificate with an authority of its own and puts both in one file.
   */
  private Path caFile() {
    return folder.resolve("certs").resolve("apiserver.crt");
  }

  private void awaitReady(KubeIdentity prober) {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    await(() -> Files.exists(caFile()), "its certificate", deadline);
    Config config = Kubeconfigs.clientConfig(kubeconfig(prober));
    config.setRequestRetryBackoffLimit(0);
    config.setRequestTimeout((int) PROBE_LIMIT.toMillis());
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
      await(() -> isReady(client), "/readyz and the namespace 'default'", deadline);
    }
  }

  private static boolean isReady(KubernetesClient client) {
    try {
      return "ok".equals(client.raw("/readyz"))
          && client.namespaces().withName("default").get() != null;
    } catch (KubernetesClientException e) {
      LOG.debug("Not ready yet", e);
      return false;
    }
  }

  private void await(Condition condition, String what, long deadline) {
    while (!condition.holds()) {
      processes.forEach(ServerProcess::checkAlive);
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "the Kubernetes API server at %s is not ready after %d s, %s is missing; %s"
                .formatted(
                    url(),
                    START_LIMIT.toSeconds(),
                    what,
                    processes.get(processes.size() - 1).logTail()));
      }
      try {
        Thread.sleep(PROBE_INTERVAL.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(
            "interrupted while waiting for the Kubernetes API server", e);
      }
    }
  }

  /** Whether, with all processes stopped, somebody else holds one of the ports. */
  private boolean lostPort() {
    return !(LocalPorts.isFree(etcdPort)
        && LocalPorts.isFree(etcdPeerPort)
        && LocalPorts.isFree(port));
  }

  private interface Condition {
    boolean holds();
  }
}
