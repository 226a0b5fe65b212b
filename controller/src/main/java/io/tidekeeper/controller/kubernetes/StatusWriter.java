package io.tidekeeper.controller.kubernetes;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.tidekeeper.crds.WatermarkPolicy;
import io.tidekeeper.crds.WatermarkPolicyStatus;

/** Writes the status of policies. */
public final class StatusWriter {

  private final KubernetesClient client;

  /** A writer that acts under the client's identity. */
  public StatusWriter(KubernetesClient client) {
    this.client = client;
  }

  /**
   * Replaces the status of the policy exactly as it was seen. What was decided from an old reading
   * is never written over what somebody wrote later.
   *
   * @param seen the policy as it was when the status was made
   * @return the policy with its new status
   * @throws io.fabric8.kubernetes.client.KubernetesClientException when it is refused; see {@link
   *     WriteResult#of} for what that means
   */
  public WatermarkPolicy write(WatermarkPolicy seen, WatermarkPolicyStatus status) {
    WatermarkPolicy fresh = fresh(seen, status);
    fresh.getMetadata().setResourceVersion(seen.getMetadata().getResourceVersion());
    return client
        .resource(fresh)
        .subresource("status")
        .patch(
            new PatchContext.Builder()
                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                .withFieldManager(TargetWriter.MANAGER)
                .withForce(true)
                .build());
  }

  /** An object of identity and status only, as server-side apply needs it. */
  public static WatermarkPolicy fresh(WatermarkPolicy policy, WatermarkPolicyStatus status) {
    WatermarkPolicy fresh = new WatermarkPolicy();
    fresh.setMetadata(
        new ObjectMetaBuilder()
            .withName(policy.getMetadata().getName())
            .withNamespace(policy.getMetadata().getNamespace())
            .withUid(policy.getMetadata().getUid())
            .build());
    fresh.setStatus(status);
    return fresh;
  }
}
