package io.tidekeeper.controller.reconcile;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.tidekeeper.controller.kubernetes.WriteResult.Claim;
import io.tidekeeper.controller.kubernetes.WriteResult.FieldConflict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which targets refused our last write because others own our fields. It holds for a target exactly
 * as it was: once it has changed, another try is due. Nothing is lost with a restart but one try.
 */
final class Refusals {

  private static final int REMEMBERED = 10_000;
  private static final int NAMED = 3;

  private record Refusal(String resourceVersion, String message) {}

  private final Map<String, Refusal> byUid =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Refusal> eldest) {
          return size() > REMEMBERED;
        }
      };

  synchronized void remember(GenericKubernetesResource target, FieldConflict conflict) {
    byUid.put(
        target.getMetadata().getUid(),
        new Refusal(
            target.getMetadata().getResourceVersion(),
            message(target.getMetadata().getName(), conflict.fields())));
  }

  synchronized @Nullable String of(GenericKubernetesResource target) {
    Refusal refusal = byUid.get(target.getMetadata().getUid());
    return refusal != null
            && refusal.resourceVersion().equals(target.getMetadata().getResourceVersion())
        ? refusal.message()
        : null;
  }

  private static String message(String target, List<Claim> claims) {
    String more = claims.size() > NAMED ? " and " + (claims.size() - NAMED) + " more" : "";
    return "Options of the policy are owned by others on FlinkDeployment %s: %s%s. Remove them there: thresholds stand in the policy only."
        .formatted(
            target,
            claims.stream().limit(NAMED).map(Claim::toString).collect(Collectors.joining("; ")),
            more);
  }
}
