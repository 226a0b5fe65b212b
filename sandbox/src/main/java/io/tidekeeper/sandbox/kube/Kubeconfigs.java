package io.tidekeeper.sandbox.kube;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.Config;
import io.fabric8.kubernetes.api.model.ConfigBuilder;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Kubeconfig files: one cluster, one user, one context. */
final class Kubeconfigs {
  private static final String CLUSTER = "tidekeeper-sandbox";

  private Kubeconfigs() {}

  /** For a user with a token; the certificate authority goes into the file. */
  static Config withToken(String url, Path caFile, String user, String token) {
    return new ConfigBuilder()
        .withApiVersion("v1")
        .withKind("Config")
        .addNewCluster()
        .withName(CLUSTER)
        .withNewCluster()
        .withServer(url)
        .withCertificateAuthorityData(base64(caFile))
        .endCluster()
        .endCluster()
        .addNewUser()
        .withName(user)
        .withNewUser()
        .withToken(token)
        .endUser()
        .endUser()
        .addNewContext()
        .withName(CLUSTER)
        .withNewContext()
        .withCluster(CLUSTER)
        .withUser(user)
        .withNamespace("default")
        .endContext()
        .endContext()
        .withCurrentContext(CLUSTER)
        .build();
  }

  /**
   * What the current context of a kubeconfig needs, without its other contexts; files it names by
   * relative paths are named by absolute ones, so that it can be written elsewhere.
   *
   * @throws IllegalStateException when there is no complete current context, with the reason
   */
  static Config currentContextOf(Path kubeconfig) {
    Config all = read(kubeconfig);
    String current = all.getCurrentContext();
    NamedContext context =
        named(all.getContexts(), NamedContext::getName, current, kubeconfig, "current context");
    NamedCluster cluster =
        named(
            all.getClusters(),
            NamedCluster::getName,
            context.getContext().getCluster(),
            kubeconfig,
            "cluster");
    NamedAuthInfo user =
        named(
            all.getUsers(),
            NamedAuthInfo::getName,
            context.getContext().getUser(),
            kubeconfig,
            "user");
    makeAbsolute(kubeconfig, cluster.getCluster());
    makeAbsolute(kubeconfig, user.getUser());
    return new ConfigBuilder()
        .withApiVersion("v1")
        .withKind("Config")
        .withClusters(cluster)
        .withUsers(user)
        .withContexts(context)
        .withCurrentContext(current)
        .build();
  }

  /** Lets the only user of a kubeconfig act as somebody else. */
  static void impersonate(Config kubeconfig, KubeIdentity identity) {
    AuthInfo user = kubeconfig.getUsers().get(0).getUser();
    user.setAs(identity.user());
    user.setAsGroups(identity.groups());
  }

  static void write(Config kubeconfig, Path file) {
    PrivateFiles.write(file, Serialization.asYaml(kubeconfig));
  }

  /** What a client needs to be that user; nothing is taken from the environment. */
  static io.fabric8.kubernetes.client.Config clientConfig(Config kubeconfig) {
    io.fabric8.kubernetes.client.Config config =
        io.fabric8.kubernetes.client.Config.fromKubeconfig(Serialization.asYaml(kubeconfig));
    AuthInfo user = kubeconfig.getUsers().get(0).getUser();
    if (user.getAs() != null) {
      config.setImpersonateUsername(user.getAs());
      config.setImpersonateGroups(user.getAsGroups().toArray(String[]::new));
    }
    return config;
  }

  private static Config read(Path kubeconfig) {
    try (InputStream in = Files.newInputStream(kubeconfig)) {
      Config config = Serialization.unmarshal(in, Config.class);
      if (config == null) {
        throw new IllegalStateException("the kubeconfig %s is empty".formatted(kubeconfig));
      }
      return config;
    } catch (IOException e) {
      throw new IllegalStateException("the kubeconfig %s cannot be read".formatted(kubeconfig), e);
    } catch (RuntimeException e) {
      throw new IllegalStateException(
          "%s is not a kubeconfig: %s".formatted(kubeconfig, e.getMessage()), e);
    }
  }

  private static <T> T named(
      List<T> all, Function<T, String> name, @Nullable String wanted, Path file, String what) {
    if (wanted == null || wanted.isEmpty()) {
      throw new IllegalStateException("the kubeconfig %s names no %s".formatted(file, what));
    }
    return all.stream()
        .filter(candidate -> wanted.equals(name.apply(candidate)))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "the kubeconfig %s names the %s '%s', which is not in it"
                        .formatted(file, what, wanted)));
  }

  private static void makeAbsolute(Path kubeconfig, Cluster cluster) {
    cluster.setCertificateAuthority(absolute(kubeconfig, cluster.getCertificateAuthority()));
  }

  private static void makeAbsolute(Path kubeconfig, AuthInfo user) {
    user.setClientCertificate(absolute(kubeconfig, user.getClientCertificate()));
    user.setClientKey(absolute(kubeconfig, user.getClientKey()));
    user.setTokenFile(absolute(kubeconfig, user.getTokenFile()));
  }

  private static @Nullable String absolute(Path kubeconfig, @Nullable String file) {
    return file == null || file.isEmpty()
        ? file
        : kubeconfig.toAbsolutePath().resolveSibling(file).toString();
  }

  private static String base64(Path file) {
    try {
      return Base64.getEncoder().encodeToString(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new UncheckedIOException("%s cannot be read".formatted(file), e);
    }
  }
}
