package io.tidekeeper.sandbox.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NullUnmarked
class KubeconfigsTest {
  private static final String GIVEN =
      """
      apiVersion: v1
      kind: Config
      current-context: work
      contexts:
      - {name: home, context: {cluster: home, user: me}}
      - {name: work, context: {cluster: work, user: me, namespace: team}}
      clusters:
      - {name: home, cluster: {server: "https://home.example"}}
      - {name: work, cluster: {server: "https://work.example", certificate-authority: pki/ca.crt}}
      users:
      - {name: me, user: {token: secret, client-key: /etc/me.key}}
      """;

  @TempDir Path folder;

  @Test
  void onlyTheCurrentContextIsTakenAndFilesStayFindable() throws IOException {
    Config taken = Kubeconfigs.currentContextOf(given(GIVEN));

    assertThat(taken.getContexts()).singleElement().matches(c -> c.getName().equals("work"));
    assertThat(taken.getClusters().get(0).getCluster().getCertificateAuthority())
        .isEqualTo(folder.resolve("pki/ca.crt").toString());
    assertThat(taken.getUsers().get(0).getUser().getClientKey()).isEqualTo("/etc/me.key");
  }

  @Test
  void anImpersonatedUserReachesFileAndClient() throws IOException {
    Config taken = Kubeconfigs.currentContextOf(given(GIVEN));
    Kubeconfigs.impersonate(taken, new KubeIdentity("robot", List.of("machines")));
    Path file = folder.resolve("robot.yaml");
    Kubeconfigs.write(taken, file);

    assertThat(file).content().contains("as: \"robot\"", "as-groups:", "machines");
    io.fabric8.kubernetes.client.Config client = Kubeconfigs.clientConfig(taken);
    assertThat(client.getMasterUrl()).isEqualTo("https://work.example/");
    assertThat(client.getNamespace()).isEqualTo("team");
    assertThat(client.getAutoOAuthToken()).isEqualTo("secret");
    assertThat(client.getImpersonateUsername()).isEqualTo("robot");
    assertThat(client.getImpersonateGroups()).containsExactly("machines");
    assertThat(client.isTrustCerts()).isFalse();
  }

  @Test
  void whatIsMissingIsNamed() throws IOException {
    Path noContext = given(GIVEN.replace("current-context: work\n", ""));
    assertThatThrownBy(() -> Kubeconfigs.currentContextOf(noContext))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("names no current context");
    Path noUser = given(GIVEN.replace("name: me,", "name: you,"));
    assertThatThrownBy(() -> Kubeconfigs.currentContextOf(noUser))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the user 'me', which is not in it");
    Path noYaml = given("{ this is: [not YAML");
    assertThatThrownBy(() -> Kubeconfigs.currentContextOf(noYaml))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is not a kubeconfig");
  }

  private Path given(String text) throws IOException {
    return Files.writeString(folder.resolve("given.yaml"), text);
  }
}
