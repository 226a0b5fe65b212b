package io.tidekeeper.controller.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.tidekeeper.controller.kubernetes.WriteResult.Written;
import io.tidekeeper.controller.rollout.Action.Apply;
import io.tidekeeper.controller.rollout.Annotations;
import java.util.Map;

/**
 * Writes the options of a policy to a target: server-side apply of the complete set of our own keys
 * and the annotation that names the holder, nothing else, and never by force.
 */
public final class TargetWriter {

  /** The field manager under which this controller owns fields of targets. */
  public static final String MANAGER = "tidekeeper";

  private final KubernetesClient client;

  /** A writer that acts under the client's identity. */
  public TargetWriter(KubernetesClient client) {
    this.client = client;
  }

  /**
   * Applies the options to the target exactly as it was seen: one that has changed meanwhile is
   * left alone, and one that is gone is never created.
   *
   * @param seen the target as it was when this was decided
   * @param apply what was decided
   * @param holder the name of the policy
   * @throws KubernetesClientException when the server does not answer, or refuses for another
   *     reason than those that {@link WriteResult} knows
   */
  public WriteResult apply(GenericKubernetesResource seen, Apply apply, String holder) {
    GenericKubernetesResource ours =
        new GenericKubernetesResourceBuilder()
            .withApiVersion(seen.getApiVersion())
            .withKind(seen.getKind())
            .withNewMetadata()
            .withName(seen.getMetadata().getName())
            .withNamespace(seen.getMetadata().getNamespace())
            .withUid(apply.uid())
            .withResourceVersion(seen.getMetadata().getResourceVersion())
            .addToAnnotations(Annotations.HOLDER, holder)
            .endMetadata()
            .build();
    if (!apply.keys().isEmpty()) {
      ours.setAdditionalProperty("spec", Map.of("flinkConfiguration", apply.keys().options()));
    }
    try {
      client
          .resource(ours)
          .patch(
              new PatchContext.Builder()
                  .withPatchType(PatchType.SERVER_SIDE_APPLY)
                  .withFieldManager(MANAGER)
                  .withForce(false)
                  .build());
      return new Written();
    } catch (KubernetesClientException e) {
      return WriteResult.of(e);
    }
  }
}
