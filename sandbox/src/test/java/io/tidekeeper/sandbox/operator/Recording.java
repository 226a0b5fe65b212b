package io.tidekeeper.sandbox.operator;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Everything that a watch shows of the FlinkDeployments of a namespace and of their Events. */
final class Recording implements AutoCloseable {
  private final List<JsonNode> objects = new ArrayList<>();
  private final List<String> events = new ArrayList<>();
  private final List<Watch> watches;

  Recording(KubernetesClient client, String namespace) {
    Watch deployments =
        client
            .genericKubernetesResources(ApiDeployments.CONTEXT)
            .inNamespace(namespace)
            .watch(new Each<GenericKubernetesResource>(this::add));
    Watch news = client.v1().events().inNamespace(namespace).watch(new Each<Event>(this::add));
    this.watches = List.of(deployments, news);
  }

  /** Forgets all but the newest object. */
  synchronized void startScenario() {
    if (!objects.isEmpty()) {
      objects.subList(0, objects.size() - 1).clear();
    }
    events.clear();
  }

  synchronized List<String> looks() {
    return objects.isEmpty() ? List.of() : Looks.of(objects);
  }

  /** {@code type reason component}, as in {@link Golden#events}. */
  synchronized List<String> events() {
    return List.copyOf(events);
  }

  @Override
  public void close() {
    watches.forEach(Watch::close);
  }

  private synchronized void add(GenericKubernetesResource resource) {
    objects.add(Json.MAPPER.valueToTree(resource));
  }

  private synchronized void add(Event event) {
    if (event.getInvolvedObject().getKind().equals("FlinkDeployment")) {
      events.add(
          "%s %s %s"
              .formatted(event.getType(), event.getReason(), event.getSource().getComponent()));
    }
  }

  private static final class Each<T> implements Watcher<T> {
    private final Consumer<T> consumer;

    Each(Consumer<T> consumer) {
      this.consumer = consumer;
    }

    @Override
    public void eventReceived(Action action, T resource) {
      if (action == Action.ADDED || action == Action.MODIFIED) {
        consumer.accept(resource);
      }
    }

    @Override
    public void onClose(@Nullable WatcherException cause) {
      // A test that misses something says what.
    }
  }
}
