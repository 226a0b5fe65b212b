package io.tidekeeper.controller.reconcile;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.tidekeeper.controller.kubernetes.Holders;
import io.tidekeeper.controller.kubernetes.TargetWriter;
import io.tidekeeper.crds.WatermarkPolicy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs a pass whenever a policy or one of its targets changes, and when a pass asked for another
 * look. The finalizer is the pass's own, not the SDK's: it is held only while a change is under
 * way. When a policy goes, or leaves a target, the next policy in line must hear of it.
 */
@ControllerConfiguration(
    name = PolicyReconciler.NAME,
    fieldManager = TargetWriter.MANAGER,
    generationAwareEventProcessing = false,
    triggerReconcilerOnAllEvents = true)
public final class PolicyReconciler implements Reconciler<WatermarkPolicy> {

  /** The name of the controller. */
  public static final String NAME = "watermarkpolicy";

  private final Function<Caches, PolicyPass> passes;
  private final Telemetry telemetry;
  private final SimpleInboundEventSource<WatermarkPolicy> wakeUps =
      new SimpleInboundEventSource<>("wake-ups");
  private final RunningPasses running;
  private @Nullable Caches caches;
  private @Nullable PolicyPass pass;

  /** The informers' caches, as far as a pass looks at them. */
  public static final class Caches {
    private final TargetIndex index;
    private final InformerEventSource<GenericKubernetesResource, WatermarkPolicy> targets;

    private Caches(
        TargetIndex index,
        InformerEventSource<GenericKubernetesResource, WatermarkPolicy> targets) {
      this.index = index;
      this.targets = targets;
    }

    /** The FlinkDeployment of this name. */
    public Optional<GenericKubernetesResource> target(String namespace, String name) {
      return targets.get(new ResourceID(name, namespace));
    }

    /** Every policy that names this target, or has a change under way there. */
    public Collection<WatermarkPolicy> policiesOn(String namespace, String target) {
      return index.policiesOn(namespace, target);
    }
  }

  /**
   * Whether a new version of a policy is worth a pass: our own writes of its status are not.
   *
   * @param policy the new version
   * @param before the one before
   */
  public static boolean isNews(WatermarkPolicy policy, WatermarkPolicy before) {
    return !Objects.equals(policy.getMetadata().getUid(), before.getMetadata().getUid())
        || !Objects.equals(
            policy.getMetadata().getGeneration(), before.getMetadata().getGeneration())
        || !Objects.equals(
            policy.getMetadata().getAnnotations(), before.getMetadata().getAnnotations())
        || policy.isMarkedForDeletion() != before.isMarkedForDeletion();
  }

  /**
   * @param passes makes the pass from what the informers know
   */
  public PolicyReconciler(Function<Caches, PolicyPass> passes, Telemetry telemetry, Clock clock) {
    this.passes = passes;
    this.telemetry = telemetry;
    this.running = new RunningPasses(clock);
  }

  /** For how long the oldest pass has been at work; zero when there is none. */
  public Duration longestPass(Instant now) {
    return running.longest(now);
  }

  @Override
  public List<EventSource<?, WatermarkPolicy>> prepareEventSources(
      EventSourceContext<WatermarkPolicy> context) {
    TargetIndex index = new TargetIndex(context.getPrimaryCache());
    InformerEventSource<GenericKubernetesResource, WatermarkPolicy> targets =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(FlinkDeployments.GVK, WatermarkPolicy.class)
                .withName("flinkdeployments")
                .withNamespacesInheritedFromController()
                .withPrimaryToSecondaryMapper(TargetIndex::targetsOf)
                .withSecondaryToPrimaryMapper(index::policiesOf)
                .build(),
            context);
    caches = new Caches(index, targets);
    pass = passes.apply(caches);
    return List.of(targets, wakeUps);
  }

  @Override
  public UpdateControl<WatermarkPolicy> reconcile(
      WatermarkPolicy policy, Context<WatermarkPolicy> context) {
    Set<String> left = Statuses.known(policy);
    if (context.isPrimaryResourceDeleted()) {
      telemetry.targets(Holders.key(policy), List.of());
      wake(policy, left);
      return UpdateControl.noUpdate();
    }
    PolicyPass.Result result =
        running.during(
            ResourceID.fromResource(policy), () -> Objects.requireNonNull(pass).run(policy));
    left.removeAll(result.targets());
    if (result.written() != null) {
      context
          .eventSourceRetriever()
          .getControllerEventSource()
          .handleRecentResourceUpdate(ResourceID.fromResource(policy), result.written(), policy);
    }
    wake(policy, left);
    return UpdateControl.<WatermarkPolicy>noUpdate().rescheduleAfter(result.again());
  }

  /** The policies that may now hold one of the targets that this one has left. */
  private void wake(WatermarkPolicy policy, Set<String> left) {
    List<WatermarkPolicy> others = new ArrayList<>();
    for (String target : left) {
      others.addAll(
          Objects.requireNonNull(caches).policiesOn(policy.getMetadata().getNamespace(), target));
    }
    for (WatermarkPolicy other : others) {
      if (!other.getMetadata().getName().equals(policy.getMetadata().getName())) {
        wakeUps.propagateEvent(ResourceID.fromResource(other));
      }
    }
  }
}
