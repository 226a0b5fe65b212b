package io.tidekeeper.controller.kubernetes;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidekeeper.controller.rollout.Annotations;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The brakes that stand on namespaces; read when needed, and again after a few seconds. */
public final class NamespaceBrakes {

  /** How old an answer may be: so long a brake on a namespace may take to be felt. */
  static final Duration FRESH = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(NamespaceBrakes.class);

  private final KubernetesClient client;
  private final Clock clock;
  private final Map<String, Reading> readings = new ConcurrentHashMap<>();

  private record Reading(boolean paused, Instant at) {}

  /** Brakes as the client's identity may see them. */
  public NamespaceBrakes(KubernetesClient client, Clock clock) {
    this.client = client;
    this.clock = clock;
  }

  /**
   * Whether the namespace carries the annotation.
   *
   * @throws KubernetesClientException when it is not known: nothing may be written then
   */
  public boolean isPaused(String namespace) {
    Instant now = clock.instant();
    Reading known = readings.get(namespace);
    if (known == null || !now.isBefore(known.at().plus(FRESH))) {
      known = new Reading(read(namespace), now);
      readings.put(namespace, known);
    }
    return known.paused();
  }

  private boolean read(String namespace) {
    try {
      Namespace object = client.namespaces().withName(namespace).get();
      return object != null && isSet(object.getMetadata().getAnnotations());
    } catch (KubernetesClientException e) {
      if (e.getCode() != 403) {
        throw e;
      }
      // Who installs the controller without this right has no brakes on namespaces.
      LOG.debug("namespace {} may not be read: brakes on it are not seen", namespace);
      return false;
    }
  }

  /** Whether these annotations hold a brake: any value but {@code false}. */
  public static boolean isSet(@Nullable Map<String, String> annotations) {
    String value = annotations == null ? null : annotations.get(Annotations.PAUSED);
    return value != null && !value.strip().equalsIgnoreCase("false");
  }
}
