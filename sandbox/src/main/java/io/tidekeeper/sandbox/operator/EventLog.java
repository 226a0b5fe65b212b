package io.tidekeeper.sandbox.operator;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.util.Objects;

/** The core Events of one namespace: one that is there already is counted up. */
final class EventLog {
  private static final int LONGEST_MESSAGE = 1024;

  private final KubernetesClient client;
  private final String namespace;

  EventLog(KubernetesClient client, String namespace) {
    this.client = client;
    this.namespace = namespace;
  }

  void tell(Deployment deployment, News news) {
    String message =
        news.message().length() <= LONGEST_MESSAGE
            ? news.message()
            : news.message().substring(0, LONGEST_MESSAGE);
    int hash = Objects.hash(deployment.uid(), news.reason(), news.isWarning(), message);
    String name =
        "%s.%d"
            .formatted(news.component(), hash & Integer.MAX_VALUE)
            .toLowerCase(java.util.Locale.ROOT);
    String now = Instant.now().toString();
    Event known = client.v1().events().inNamespace(namespace).withName(name).get();
    if (known != null) {
      Event unused =
          client
              .v1()
              .events()
              .inNamespace(namespace)
              .withName(name)
              .edit(
                  event ->
                      new EventBuilder(event)
                          .withCount(event.getCount() + 1)
                          .withLastTimestamp(now)
                          .build());
      return;
    }
    Event event =
        new EventBuilder()
            .withNewMetadata()
            .withName(name)
            .withNamespace(namespace)
            .endMetadata()
            .withType(news.isWarning() ? "Warning" : "Normal")
            .withReason(news.reason())
            .withMessage(message)
            .withNewSource()
            .withComponent(news.component())
            .endSource()
            .withNewInvolvedObject()
            .withApiVersion("flink.apache.org/v1beta1")
            .withKind("FlinkDeployment")
            .withName(deployment.name())
            .withNamespace(namespace)
            .withUid(deployment.uid())
            .endInvolvedObject()
            .withCount(1)
            .withFirstTimestamp(now)
            .withLastTimestamp(now)
            .build();
    Event unused = client.v1().events().inNamespace(namespace).resource(event).create();
  }
}
