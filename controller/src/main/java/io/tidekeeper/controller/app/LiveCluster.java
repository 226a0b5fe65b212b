package io.tidekeeper.controller.app;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.tidekeeper.controller.flink.FlinkDeployment;
import io.tidekeeper.controller.job.JobAnswer;
import io.tidekeeper.controller.job.JobReader;
import io.tidekeeper.controller.job.RestAddress;
import io.tidekeeper.controller.kubernetes.EventRecorder;
import io.tidekeeper.controller.kubernetes.FinalizerWriter;
import io.tidekeeper.controller.kubernetes.NamespaceBrakes;
import io.tidekeeper.controller.kubernetes.StatusWriter;
import io.tidekeeper.controller.kubernetes.TargetWriter;
import io.tidekeeper.controller.kubernetes.WriteResult;
import io.tidekeeper.controller.reconcile.ClusterView;
import io.tidekeeper.controller.reconcile.ClusterWrites;
import io.tidekeeper.controller.reconcile.PolicyReconciler.Caches;
import io.tidekeeper.controller.rollout.Action.Apply;
import io.tidekeeper.controller.rollout.Notice;
import io.tidekeeper.crds.WatermarkPolicy;
import io.tidekeeper.crds.WatermarkPolicyStatus;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** A real cluster: caches and jobs to look at, an API server to write to. */
final class LiveCluster implements ClusterView, ClusterWrites {

  private final Caches caches;
  private final JobReader jobs;
  private final NamespaceBrakes brakes;
  private final TargetWriter targets;
  private final StatusWriter statuses;
  private final FinalizerWriter finalizers;
  private final EventRecorder events;

  LiveCluster(
      Caches caches,
      KubernetesClient client,
      RestAddress restAddress,
      Clock clock,
      String instance) {
    this.caches = caches;
    this.jobs = new JobReader(restAddress);
    this.brakes = new NamespaceBrakes(client, clock);
    this.targets = new TargetWriter(client);
    this.statuses = new StatusWriter(client);
    this.finalizers = new FinalizerWriter(client);
    this.events = new EventRecorder(client, clock, instance);
  }

  @Override
  public Optional<GenericKubernetesResource> target(String namespace, String name) {
    return caches.target(namespace, name);
  }

  @Override
  public Collection<WatermarkPolicy> policiesOn(String namespace, String target) {
    return caches.policiesOn(namespace, target);
  }

  @Override
  public boolean isPaused(String namespace) {
    return brakes.isPaused(namespace);
  }

  @Override
  public JobAnswer job(FlinkDeployment target, String namespace) {
    return jobs.read(target, namespace);
  }

  @Override
  public WatermarkPolicy writeStatus(WatermarkPolicy seen, WatermarkPolicyStatus status) {
    return statuses.write(seen, status);
  }

  @Override
  public WatermarkPolicy writeFinalizers(WatermarkPolicy seen, List<String> wanted) {
    return finalizers.write(seen, wanted);
  }

  @Override
  public WriteResult apply(GenericKubernetesResource seen, Apply apply, String holder) {
    return targets.apply(seen, apply, holder);
  }

  @Override
  public void tell(WatermarkPolicy policy, ObjectReference target, long revision, Notice notice) {
    events.tell(policy, target, revision, notice);
  }
}
