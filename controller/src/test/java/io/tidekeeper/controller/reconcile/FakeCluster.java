package io.tidekeeper.controller.reconcile;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.tidekeeper.controller.flink.FlinkDeployment;
import io.tidekeeper.controller.job.JobAnswer;
import io.tidekeeper.controller.kubernetes.WriteResult;
import io.tidekeeper.controller.rollout.Action.Apply;
import io.tidekeeper.controller.rollout.Notice;
import io.tidekeeper.crds.BoundedSpec;
import io.tidekeeper.crds.TargetKind;
import io.tidekeeper.crds.TargetRef;
import io.tidekeeper.crds.WatermarkPolicy;
import io.tidekeeper.crds.WatermarkPolicySpec;
import io.tidekeeper.crds.WatermarkPolicyStatus;
import io.tidekeeper.crds.WatermarkSpec;
import io.tidekeeper.crds.WatermarkType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A cluster in memory, with switches for what may go wrong; it keeps a log of what was written. */
final class FakeCluster implements ClusterView, ClusterWrites {

  final List<String> log = new ArrayList<>();
  final List<WatermarkPolicy> policies = new ArrayList<>();
  final Map<String, GenericKubernetesResource> targets = new HashMap<>();
  final List<String> asked = new ArrayList<>();
  boolean paused;
  @Nullable WriteResult refusal;
  @Nullable KubernetesClientException applyError;
  @Nullable KubernetesClientException statusError;
  @Nullable KubernetesClientException finalizerError;
  private long version = 100;

  WatermarkPolicy policy(String name, String... targetNames) {
    WatermarkPolicy policy = new WatermarkPolicy();
    policy.setMetadata(
        new ObjectMetaBuilder()
            .withName(name)
            .withNamespace("transit")
            .withUid("uid-" + name)
            .withGeneration(1L)
            .withCreationTimestamp("2026-01-01T00:00:00Z")
            .withResourceVersion("1")
            .build());
    List<TargetRef> refs = new ArrayList<>();
    for (String target : targetNames) {
      refs.add(new TargetRef(TargetKind.FlinkDeployment, target));
    }
    policy.setSpec(
        new WatermarkPolicySpec(
            refs,
            new WatermarkSpec(
                WatermarkType.Bounded,
                new BoundedSpec("5s"),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                List.of()),
            null,
            null,
            List.of(),
            null));
    policies.add(policy);
    return policy;
  }

  /** A deployment that no operator has looked at. */
  void deployment(String name) {
    targets.put(
        name,
        new GenericKubernetesResourceBuilder()
            .withApiVersion("flink.apache.org/v1beta1")
            .withKind("FlinkDeployment")
            .withNewMetadata()
            .withName(name)
            .withNamespace("transit")
            .withUid("uid-" + name)
            .withGeneration(1L)
            .withResourceVersion("1")
            .endMetadata()
            .addToAdditionalProperties(
                "spec",
                Map.of(
                    "flinkConfiguration",
                    new TreeMap<String, Object>(),
                    "job",
                    Map.of("upgradeMode", "savepoint")))
            .build());
  }

  /** The operator has taken over what the deployment asks for, and starts the job. */
  void deployed(String name) {
    GenericKubernetesResource target = Objects.requireNonNull(targets.get(name));
    String spec =
        Serialization.asJson(Map.of("spec", target.getAdditionalProperties().get("spec")));
    target.setAdditionalProperty(
        "status",
        Map.of(
            "observedGeneration",
            1,
            "lifecycleState",
            "DEPLOYED",
            "reconciliationStatus",
            Map.of("state", "DEPLOYED", "lastReconciledSpec", spec)));
    touch(name);
  }

  /** The same policy with another target in its spec. */
  WatermarkPolicy naming(WatermarkPolicy policy, String target) {
    WatermarkPolicy changed = new WatermarkPolicy();
    changed.setMetadata(policy.getMetadata());
    changed.setSpec(
        new WatermarkPolicySpec(
            List.of(new TargetRef(TargetKind.FlinkDeployment, target)),
            policy.getSpec().watermark(),
            null,
            null,
            List.of(),
            null));
    changed.setStatus(policy.getStatus());
    return changed;
  }

  /** What the operator says of a deployment that it knows. */
  void operatorSays(String target, String jobManager, String job) {
    GenericKubernetesResource known = targets.get(target);
    if (known != null) {
      known.setAdditionalProperty(
          "status",
          Map.of("jobManagerDeploymentStatus", jobManager, "jobStatus", Map.of("state", job)));
      touch(target);
    }
  }

  void touch(String target) {
    GenericKubernetesResource touched = targets.get(target);
    if (touched != null) {
      touched.getMetadata().setResourceVersion(String.valueOf(++version));
    }
  }

  @Override
  public Optional<GenericKubernetesResource> target(String namespace, String name) {
    return Optional.ofNullable(targets.get(name));
  }

  @Override
  public Collection<WatermarkPolicy> policiesOn(String namespace, String target) {
    return policies.stream().filter(p -> Statuses.claims(p, target)).toList();
  }

  @Override
  public boolean isPaused(String namespace) {
    return paused;
  }

  @Override
  public JobAnswer job(FlinkDeployment target, String namespace) {
    asked.add(target.name());
    return new JobAnswer(null, "nobody there");
  }

  @Override
  public WatermarkPolicy writeStatus(WatermarkPolicy seen, WatermarkPolicyStatus status) {
    if (statusError != null) {
      throw statusError;
    }
    List<String> states = new ArrayList<>();
    status.targets().forEach(target -> states.add(target.state() + "/" + target.reason()));
    log.add("status " + String.join(",", states) + " Ready=" + status.conditions().get(0).status());
    WatermarkPolicy written = new WatermarkPolicy();
    written.setMetadata(
        new ObjectMetaBuilder(seen.getMetadata())
            .withResourceVersion(String.valueOf(++version))
            .build());
    written.setSpec(seen.getSpec());
    written.setStatus(status);
    return written;
  }

  @Override
  public WatermarkPolicy writeFinalizers(WatermarkPolicy seen, List<String> finalizers) {
    if (finalizerError != null) {
      throw finalizerError;
    }
    log.add("finalizers " + finalizers);
    WatermarkPolicy written = new WatermarkPolicy();
    written.setMetadata(
        new ObjectMetaBuilder(seen.getMetadata())
            .withFinalizers(finalizers)
            .withResourceVersion(String.valueOf(++version))
            .build());
    written.setSpec(seen.getSpec());
    written.setStatus(seen.getStatus());
    return written;
  }

  @Override
  public WriteResult apply(GenericKubernetesResource seen, Apply apply, String holder) {
    if (applyError != null) {
      throw applyError;
    }
    log.add("apply " + seen.getMetadata().getName() + " for " + holder);
    if (refusal != null) {
      return refusal;
    }
    Map<String, Object> options = seen.get("spec", "flinkConfiguration");
    if (options != null) {
      options.putAll(apply.keys().options());
    }
    touch(seen.getMetadata().getName());
    return new WriteResult.Written();
  }

  @Override
  public void tell(WatermarkPolicy policy, ObjectReference target, long revision, Notice notice) {
    log.add("event " + notice.reason() + " of " + target.getName());
  }
}
