package io.tidekeeper.controller.reconcile;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.tidekeeper.controller.flink.FlinkDeployment;
import io.tidekeeper.controller.job.JobAnswer;
import io.tidekeeper.crds.WatermarkPolicy;
import java.util.Collection;
import java.util.Optional;

/** What a pass looks at. */
public interface ClusterView {

  /** The FlinkDeployment of this name. */
  Optional<GenericKubernetesResource> target(String namespace, String name);

  /** Every policy that {@linkplain Statuses#claims claims} this target. */
  Collection<WatermarkPolicy> policiesOn(String namespace, String target);

  /** Whether the namespace carries the brake. */
  boolean isPaused(String namespace);

  /** What the target's job says. */
  JobAnswer job(FlinkDeployment target, String namespace);
}
