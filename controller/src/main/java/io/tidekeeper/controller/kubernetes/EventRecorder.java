package io.tidekeeper.controller.kubernetes;

import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidekeeper.controller.rollout.Notice;
import io.tidekeeper.controller.rollout.Reason.Concern;
import io.tidekeeper.crds.WatermarkPolicy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells what happened as Events on the policy, where {@code kubectl describe} shows them. The same
 * news about the same revision of a target is told once in a while only.
 */
public final class EventRecorder {

  /** How long the same news is old. */
  static final Duration QUIET = Duration.ofMinutes(10);

  private static final int REMEMBERED = 10_000;
  private static final int LONGEST_NOTE = 1024;
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX").withZone(ZoneOffset.UTC);
  private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);

  private final KubernetesClient client;
  private final Clock clock;
  private final String instance;
  private final Map<News, Instant> told =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<News, Instant> eldest) {
          return size() > REMEMBERED;
        }
      };

  private record News(String policy, String target, long revision, Notice notice) {}

  /**
   * @param instance the name of this controller among its replicas
   */
  public EventRecorder(KubernetesClient client, Clock clock, String instance) {
    this.client = client;
    this.clock = clock;
    this.instance = instance;
  }

  /**
   * Tells it; that an Event cannot be written is logged and changes nothing.
   *
   * @param revision the number the target has or is being given: each rollout is told anew
   */
  public void tell(WatermarkPolicy policy, ObjectReference target, long revision, Notice notice) {
    Instant now = clock.instant();
    News news = new News(policy.getMetadata().getUid(), target.getName(), revision, notice);
    if (!isNew(news, now)) {
      return;
    }
    try {
      client.resource(event(policy, target, notice, now)).create();
    } catch (KubernetesClientException e) {
      LOG.warn(
          "the event {} of {} was not written: {}",
          notice.reason(),
          Holders.key(policy),
          e.getMessage());
    }
  }

  private synchronized boolean isNew(News news, Instant now) {
    Instant last = told.get(news);
    if (last != null && now.isBefore(last.plus(QUIET))) {
      return false;
    }
    told.remove(news);
    told.put(news, now);
    return true;
  }

  private Event event(WatermarkPolicy policy, ObjectReference target, Notice notice, Instant now) {
    String note = "FlinkDeployment %s: %s".formatted(target.getName(), notice.message());
    return new EventBuilder()
        .withNewMetadata()
        .withGenerateName(policy.getMetadata().getName() + "-")
        .withNamespace(policy.getMetadata().getNamespace())
        .endMetadata()
        .withType(notice.reason().concern() == Concern.PERSON ? "Warning" : "Normal")
        .withReason(notice.reason().name())
        .withAction("Rollout")
        .withNote(note.length() > LONGEST_NOTE ? note.substring(0, LONGEST_NOTE - 3) + "..." : note)
        .withRegarding(
            new ObjectReferenceBuilder()
                .withApiVersion(policy.getApiVersion())
                .withKind(policy.getKind())
                .withNamespace(policy.getMetadata().getNamespace())
                .withName(policy.getMetadata().getName())
                .withUid(policy.getMetadata().getUid())
                .build())
        .withRelated(target)
        .withEventTime(new MicroTime(MICROS.format(now)))
        .withReportingController("tidekeeper.io/controller")
        .withReportingInstance(instance)
        .build();
  }
}
