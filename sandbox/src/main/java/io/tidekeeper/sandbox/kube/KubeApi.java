package io.tidekeeper.sandbox.kube;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A real Kubernetes API server: the one of a kubeconfig that the user gives by {@value
 * #KUBECONFIG_VARIABLE} (or the system property {@value #KUBECONFIG_PROPERTY}, which wins), else
 * one started on this machine from programs that {@code make kube} has built.
 *
 * <p>One that is started here runs in processes of its own on 127.0.0.1, on free ports, and ends
 * with this JVM at the latest, even when the JVM is killed. It has no kubelet and no scheduler:
 * validation, server-side apply, RBAC, garbage collection of owned objects, leases and watches are
 * real, but nothing gets pods. Any local user can reach its etcd: keep no secrets in it. A given
 * one is used as it is and left running; other identities than the kubeconfig's own are
 * impersonated.
 *
 * <p>Everybody who uses the server does so under a {@link KubeIdentity}. Two are always there:
 * {@link #ADMIN} may do everything (with a given kubeconfig: what that allows); {@link #CONTROLLER}
 * may do what RBAC objects grant to the user of that name, at first nothing.
 *
 * <p>Thread-safe.
 */
public final class KubeApi implements AutoCloseable {
  /** The environment variable that names a kubeconfig file. */
  public static final String KUBECONFIG_VARIABLE = "TIDEKEEPER_KUBECONFIG";

  /** The system property that names a kubeconfig file; empty means none, whatever the variable. */
  public static final String KUBECONFIG_PROPERTY = "tidekeeper.kubeconfig";

  /** The user that may do everything. */
  public static final String ADMIN = "tidekeeper-admin";

  /** The user that the controller is. */
  public static final String CONTROLLER = "tidekeeper-controller";

  private static final KubeIdentity ADMIN_IDENTITY =
      new KubeIdentity(ADMIN, List.of("system:masters"));

  private final String url;
  private final Map<String, Access> accesses;
  private final @Nullable ControlPlane controlPlane;
  private final KubernetesClient adminClient;
  private final Thread shutdownHook = new Thread(this::stop, "kube-api-shutdown");
  private boolean closed;

  private KubeApi(Map<String, Access> accesses, @Nullable ControlPlane controlPlane) {
    this.accesses = accesses;
    this.controlPlane = controlPlane;
    this.adminClient = clientFor(ADMIN);
    this.url = adminClient.getMasterUrl().toString().replaceFirst("/$", "");
  }

  /**
   * Why {@link #start} cannot work here: no kubeconfig is given and no control plane has been
   * built, or the given one cannot be read. Empty when it can.
   */
  public static Optional<String> unavailableReason() {
    Optional<Path> given = givenKubeconfig();
    if (given.isPresent()) {
      return given
          .filter(file -> !Files.isReadable(file))
          .map(
              file ->
                  "%s names %s, which is not a readable file"
                      .formatted(KUBECONFIG_VARIABLE, file.toAbsolutePath()));
    }
    return Binaries.find().isPresent()
        ? Optional.empty()
        : Optional.of(
            "no Kubernetes API server here: run make kube to build one, or name a kubeconfig by "
                + KUBECONFIG_VARIABLE);
  }

  /**
   * Starts or connects with the two standing identities; see {@link Builder#start()}.
   *
   * @param folder where data, logs and kubeconfig files go; created if missing
   */
  public static KubeApi start(Path folder) {
    return in(folder).start();
  }

  /**
   * Prepares a start.
   *
   * @param folder where data, logs and kubeconfig files go; created if missing, and data of an
   *     earlier start are taken up again
   */
  public static Builder in(Path folder) {
    return new Builder(folder);
  }

  /** The server's address, such as {@code https://127.0.0.1:34567}. */
  public String url() {
    return url;
  }

  /** Whether the server was started here, rather than given. */
  public boolean isStartedHere() {
    return controlPlane != null;
  }

  /** A client that may do everything; closed together with this. */
  public KubernetesClient adminClient() {
    return adminClient;
  }

  /**
   * A new client for a user, in the namespace {@code default} unless a given kubeconfig names
   * another. The caller closes it.
   *
   * @throws IllegalArgumentException when there is no such user
   */
  public KubernetesClient clientFor(String user) {
    return new KubernetesClientBuilder().withConfig(configFor(user)).build();
  }

  /**
   * A new client configuration for a user, for whoever builds a client of its own.
   *
   * @throws IllegalArgumentException when there is no such user
   */
  public Config configFor(String user) {
    return Kubeconfigs.clientConfig(access(user).content());
  }

  /**
   * A kubeconfig file for a user; {@code kubectl --kubeconfig} takes it. It holds a secret, is
   * readable by its owner only, and is good until this is closed.
   *
   * @throws IllegalArgumentException when there is no such user
   */
  public Path kubeconfig(String user) {
    return access(user).file();
  }

  /** The users there are, those that always are first. */
  public List<String> users() {
    return List.copyOf(accesses.keySet());
  }

  /**
   * Closes the admin client and stops what was started here, which takes a second or two; a second
   * call does nothing.
   */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(shutdownHook);
    } catch (IllegalStateException e) {
      // The JVM is going down: the hook does the same, once.
    }
    stop();
  }

  /** The processes started here; none when the server was given. */
  List<ProcessHandle> processes() {
    return controlPlane == null ? List.of() : controlPlane.handles();
  }

  private synchronized void stop() {
    if (closed) {
      return;
    }
    closed = true;
    adminClient.close();
    if (controlPlane != null) {
      controlPlane.stop();
    }
  }

  private Access access(String user) {
    Access access = accesses.get(user);
    if (access == null) {
      throw new IllegalArgumentException(
          "no user '%s' here, there are %s".formatted(user, accesses.keySet()));
    }
    return access;
  }

  private static Optional<Path> givenKubeconfig() {
    String property = System.getProperty(KUBECONFIG_PROPERTY);
    String value = property != null ? property : System.getenv(KUBECONFIG_VARIABLE);
    return Optional.ofNullable(value).filter(name -> !name.isBlank()).map(Path::of);
  }

  /** How a user reaches the server: a kubeconfig, and the file it stands in. */
  private record Access(io.fabric8.kubernetes.api.model.Config content, Path file) {}

  /** What is wanted of an API server before it starts. */
  public static final class Builder {
    private final Path folder;
    private final Map<String, KubeIdentity> identities = new LinkedHashMap<>();
    private final List<Path> manifests = new ArrayList<>();

    private Builder(Path folder) {
      this.folder = folder;
      identity(ADMIN_IDENTITY);
      identity(KubeIdentity.user(CONTROLLER));
    }

    /** Adds somebody who may use the server; one of the same name is replaced. */
    public Builder identity(KubeIdentity identity) {
      identities.put(identity.user(), identity);
      return this;
    }

    /**
     * Adds manifests to apply by {@link Manifests#apply} as part of the start. The place for custom
     * resource definitions: the garbage collector of a server started here knows these at once, but
     * may take 40 s to notice later ones.
     */
    public Builder manifests(Path... files) {
      manifests.addAll(List.of(files));
      return this;
    }

    /**
     * Starts the server, or connects to the given one; it is ready, and the manifests are applied,
     * when this returns. A server started here takes a few seconds.
     *
     * @throws IllegalStateException when there is none ({@link #unavailableReason()}), when it is
     *     not ready within two minutes (with the end of the log), or when a manifest is refused
     */
    public KubeApi start() {
      unavailableReason()
          .ifPresent(
              reason -> {
                throw new IllegalStateException(reason);
              });
      Optional<Path> given = givenKubeconfig();
      return given.isPresent() ? connect(given.get()) : startHere();
    }

    private KubeApi connect(Path given) {
      Map<String, Access> accesses = new LinkedHashMap<>();
      for (KubeIdentity identity : identities.values()) {
        io.fabric8.kubernetes.api.model.Config kubeconfig = Kubeconfigs.currentContextOf(given);
        if (!identity.user().equals(ADMIN)) {
          Kubeconfigs.impersonate(kubeconfig, identity);
        }
        accesses.put(identity.user(), write(identity, kubeconfig));
      }
      KubeApi api = new KubeApi(accesses, null);
      try {
        Object version = api.adminClient.raw("/version");
        if (version == null) {
          throw new KubernetesClientException("it does not tell its version");
        }
        Manifests.apply(api.adminClient, manifests);
      } catch (KubernetesClientException e) {
        api.close();
        throw new IllegalStateException(
            "the Kubernetes API server at %s, named by %s, does not answer: %s"
                .formatted(api.url, given, e.getMessage()),
            e);
      } catch (RuntimeException e) {
        api.close();
        throw e;
      }
      return api;
    }

    private KubeApi startHere() {
      Binaries binaries = Binaries.find().orElseThrow();
      ControlPlane controlPlane =
          ControlPlane.start(binaries, folder, identities.values(), ADMIN_IDENTITY);
      KubeApi api;
      try {
        Map<String, Access> accesses = new LinkedHashMap<>();
        for (KubeIdentity identity : identities.values()) {
          accesses.put(identity.user(), write(identity, controlPlane.kubeconfig(identity)));
        }
        api = new KubeApi(accesses, controlPlane);
      } catch (RuntimeException e) {
        controlPlane.stop();
        throw e;
      }
      try {
        Runtime.getRuntime().addShutdownHook(api.shutdownHook);
        Manifests.apply(api.adminClient, manifests);
        controlPlane.startControllerManager(api.kubeconfig(ADMIN));
      } catch (RuntimeException e) {
        api.close();
        throw e;
      }
      return api;
    }

    private Access write(KubeIdentity identity, io.fabric8.kubernetes.api.model.Config kubeconfig) {
      Path users = folder.toAbsolutePath().normalize().resolve("kubeconfig");
      try {
        Files.createDirectories(users);
      } catch (IOException e) {
        throw new UncheckedIOException("the folder %s cannot be made".formatted(users), e);
      }
      // A colon is not a file name's everywhere; '+' is in no user name.
      Path file = users.resolve(identity.user().replace(':', '+') + ".yaml");
      Kubeconfigs.write(kubeconfig, file);
      return new Access(kubeconfig, file);
    }
  }
}
