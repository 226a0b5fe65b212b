package io.tidekeeper.sandbox.operator;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A FlinkDeployment on a real API server; written under the field manager of the client. */
final class ApiDeployments implements Deployments {
  static final ResourceDefinitionContext CONTEXT = FlinkDeploymentCrd.CONTEXT;

  private static final String FINALIZER = "flinkdeployments.flink.apache.org/finalizer";
  private static final int ATTEMPTS = 10;

  private final KubernetesClient client;
  private final String namespace;
  private final String name;
  private final EventLog events;

  ApiDeployments(KubernetesClient client, String namespace, String name) {
    this.client = client;
    this.namespace = namespace;
    this.name = name;
    this.events = new EventLog(client, namespace);
  }

  @Override
  public Optional<Deployment> read() {
    return Optional.ofNullable(resource().get()).map(ApiDeployments::deployment);
  }

  @Override
  public void writeStatus(Deployment deployment, DeploymentStatus status) {
    Map<?, ?> content = Json.MAPPER.convertValue(status.json(), Map.class);
    for (int attempt = 1; ; attempt++) {
      GenericKubernetesResource now = resource().get();
      if (now == null || !now.getMetadata().getUid().equals(deployment.uid())) {
        return;
      }
      now.setAdditionalProperty("status", content);
      try {
        GenericKubernetesResource unused =
            client.genericKubernetesResources(CONTEXT).resource(now).updateStatus();
        return;
      } catch (KubernetesClientException e) {
        if (e.getCode() != HttpURLConnection.HTTP_CONFLICT || attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  @Override
  public void addFinalizer(Deployment deployment) {
    editFinalizers(deployment, finalizers -> finalizers.add(FINALIZER));
  }

  @Override
  public void removeFinalizer(Deployment deployment) {
    editFinalizers(deployment, finalizers -> finalizers.remove(FINALIZER));
  }

  @Override
  public void tell(Deployment deployment, News news) {
    events.tell(deployment, news);
  }

  private void editFinalizers(Deployment deployment, Consumer<List<String>> by) {
    GenericKubernetesResource unused =
        resource()
            .edit(
                now -> {
                  ObjectMeta metadata = now.getMetadata();
                  if (metadata.getUid().equals(deployment.uid())) {
                    List<String> finalizers = new ArrayList<>(metadata.getFinalizers());
                    by.accept(finalizers);
                    metadata.setFinalizers(finalizers);
                  }
                  return now;
                });
  }

  private Resource<GenericKubernetesResource> resource() {
    return client.genericKubernetesResources(CONTEXT).inNamespace(namespace).withName(name);
  }

  private static Deployment deployment(GenericKubernetesResource resource) {
    ObjectMeta metadata = resource.getMetadata();
    return new Deployment(
        metadata.getName(),
        metadata.getUid(),
        metadata.getGeneration(),
        metadata.getDeletionTimestamp() != null,
        metadata.getFinalizers().contains(FINALIZER),
        DeploymentSpec.of(json(resource.getAdditionalProperties().get("spec"))),
        new DeploymentStatus(json(resource.getAdditionalProperties().get("status"))));
  }

  private static JsonNode json(@Nullable Object value) {
    return value == null ? Json.object() : Json.MAPPER.valueToTree(value);
  }
}
