package io.tidekeeper.sandbox.kube;

import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Kubernetes manifests in files. */
public final class Manifests {
  /** The field manager that applied fields belong to. */
  public static final String FIELD_MANAGER = "tidekeeper-sandbox";

  private static final Duration SERVED_LIMIT = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(50);
  private static final Set<String> KUSTOMIZATIONS =
      Set.of("kustomization.yaml", "kustomization.yml", "Kustomization");

  private Manifests() {}

  /**
   * Applies manifests; see {@link #apply(KubernetesClient, List)}.
   *
   * @param paths YAML or JSON files, or folders of such
   */
  public static List<HasMetadata> apply(KubernetesClient client, Path... paths) {
    return apply(client, List.of(paths));
  }

  /**
   * Applies manifests server-side, without force: custom resource definitions first, which are
   * awaited until the server serves them (at most 60 s each), then namespaces, then the rest in the
   * order given. What names no namespace goes into the client's.
   *
   * @param paths YAML or JSON files, with any number of documents, or folders; of a folder, all
   *     {@code .yaml}, {@code .yml} and {@code .json} files below it by name, without
   *     kustomizations
   * @return the objects as the server holds them, in the order of their application
   * @throws IllegalStateException when a file cannot be read, or the server refuses an object; the
   *     message names file and object and holds what the server said, the cause is the client's
   *     exception
   */
  public static List<HasMetadata> apply(KubernetesClient client, List<Path> paths) {
    List<Document> documents = new ArrayList<>();
    for (Path path : paths) {
      for (Path file : filesOf(path)) {
        documents.addAll(read(client, file));
      }
    }
    documents.sort(Comparator.comparingInt(Document::rank));
    return documents.stream().map(document -> apply(client, document)).toList();
  }

  private static HasMetadata apply(KubernetesClient client, Document document) {
    try {
      HasMetadata applied =
          client.resource(document.object).fieldManager(FIELD_MANAGER).serverSideApply();
      if (applied instanceof CustomResourceDefinition definition) {
        awaitServed(client, definition);
      }
      return applied;
    } catch (KubernetesClientException e) {
      String said = e.getStatus() == null ? null : e.getStatus().getMessage();
      throw new IllegalStateException(
          "%s cannot be applied: %s".formatted(document, said == null ? e.getMessage() : said), e);
    }
  }

  private static void awaitServed(KubernetesClient client, CustomResourceDefinition definition) {
    client
        .resource(definition)
        .waitUntilCondition(
            Manifests::isEstablished, SERVED_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    long deadline = System.nanoTime() + SERVED_LIMIT.toNanos();
    while (!isServed(client, definition)) {
      if (System.nanoTime() > deadline) {
        throw new KubernetesClientException(
            "%s is established but not served after %d s"
                .formatted(definition.getMetadata().getName(), SERVED_LIMIT.toSeconds()));
      }
      try {
        Thread.sleep(POLL.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new KubernetesClientException("interrupted while waiting for a resource", e);
      }
    }
  }

  private static boolean isEstablished(CustomResourceDefinition definition) {
    return definition != null
        && definition.getStatus() != null
        // For a moment the server answers with a list that is null.
        && definition.getStatus().getConditions() != null
        && definition.getStatus().getConditions().stream()
            .anyMatch(
                condition ->
                    condition.getType().equals("Established")
                        && condition.getStatus().equals("True"));
  }

  /** Clients look a resource up in the server's lists, which follow the condition with a delay. */
  private static boolean isServed(KubernetesClient client, CustomResourceDefinition definition) {
    String group = definition.getSpec().getGroup();
    String plural = definition.getSpec().getNames().getPlural();
    return definition.getSpec().getVersions().stream()
        .filter(CustomResourceDefinitionVersion::getServed)
        .allMatch(
            version -> {
              APIResourceList list = client.getApiResources(group + "/" + version.getName());
              return list != null
                  && list.getResources().stream()
                      .map(APIResource::getName)
                      .anyMatch(plural::equals);
            });
  }

  private static List<Path> filesOf(Path path) {
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    try (Stream<Path> below = Files.walk(path)) {
      return below.filter(Files::isRegularFile).filter(Manifests::isManifest).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException("%s cannot be listed".formatted(path), e);
    }
  }

  private static boolean isManifest(Path file) {
    String name = String.valueOf(file.getFileName());
    return (name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json"))
        && !KUSTOMIZATIONS.contains(name);
  }

  private static List<Document> read(KubernetesClient client, Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return client.load(in).items().stream().map(object -> new Document(file, object)).toList();
    } catch (IOException e) {
      throw new IllegalStateException("the manifest %s cannot be read".formatted(file), e);
    } catch (RuntimeException e) {
      throw new IllegalStateException(
          "%s is not a Kubernetes manifest: %s".formatted(file, e.getMessage()), e);
    }
  }

  private record Document(Path file, HasMetadata object) {
    int rank() {
      if (object instanceof CustomResourceDefinition) {
        return 0;
      }
      return object instanceof Namespace ? 1 : 2;
    }

    @Override
    public String toString() {
      return "%s: %s %s".formatted(file, object.getKind(), object.getMetadata().getName());
    }
  }
}
