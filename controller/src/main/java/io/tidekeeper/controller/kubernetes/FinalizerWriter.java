package io.tidekeeper.controller.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.tidekeeper.crds.WatermarkPolicy;
import java.util.List;
import java.util.Map;

/** Writes the finalizers of policies. */
public final class FinalizerWriter {

  private final KubernetesClient client;

  /** A writer that acts under the client's identity. */
  public FinalizerWriter(KubernetesClient client) {
    this.client = client;
  }

  /**
   * Replaces the finalizers of the policy exactly as it was seen: with its version and identity in
   * the patch, one that has changed meanwhile, is gone or is another is left alone. Not server-side
   * apply, which would leave a finalizer that somebody else has come to own too.
   *
   * @param seen the policy as it was when this was decided
   * @param finalizers all of them
   * @return the policy as it is then; the last one removed from a deleted policy ends it
   * @throws io.fabric8.kubernetes.client.KubernetesClientException when it is refused
   */
  public WatermarkPolicy write(WatermarkPolicy seen, List<String> finalizers) {
    Map<String, Object> patch =
        Map.of(
            "metadata",
            Map.of(
                "uid",
                seen.getMetadata().getUid(),
                "resourceVersion",
                seen.getMetadata().getResourceVersion(),
                "finalizers",
                finalizers));
    return client
        .resources(WatermarkPolicy.class)
        .inNamespace(seen.getMetadata().getNamespace())
        .withName(seen.getMetadata().getName())
        .patch(
            new PatchContext.Builder()
                .withPatchType(PatchType.JSON_MERGE)
                .withFieldManager(TargetWriter.MANAGER)
                .build(),
            client.getKubernetesSerialization().asJson(patch));
  }
}
