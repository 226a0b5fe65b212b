package io.tidekeeper.controller.reconcile;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.tidekeeper.controller.kubernetes.WriteResult;
import io.tidekeeper.controller.rollout.Action.Apply;
import io.tidekeeper.controller.rollout.Notice;
import io.tidekeeper.crds.WatermarkPolicy;
import io.tidekeeper.crds.WatermarkPolicyStatus;
import java.util.List;

/** What a pass may do. */
public interface ClusterWrites {

  /**
   * Replaces the status of a policy exactly as it was seen.
   *
   * @throws io.fabric8.kubernetes.client.KubernetesClientException when it is refused
   */
  WatermarkPolicy writeStatus(WatermarkPolicy seen, WatermarkPolicyStatus status);

  /**
   * Replaces the finalizers of a policy exactly as it was seen.
   *
   * @return the policy as it is then
   * @throws io.fabric8.kubernetes.client.KubernetesClientException when it is refused
   */
  WatermarkPolicy writeFinalizers(WatermarkPolicy seen, List<String> finalizers);

  /** Applies the options to a target exactly as it was seen. */
  WriteResult apply(GenericKubernetesResource seen, Apply apply, String holder);

  /**
   * Tells people.
   *
   * @param revision the number the target has or is being given; with another one, the same words
   *     are news again
   */
  void tell(WatermarkPolicy policy, ObjectReference target, long revision, Notice notice);
}
