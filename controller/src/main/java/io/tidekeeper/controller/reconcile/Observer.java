package io.tidekeeper.controller.reconcile;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.tidekeeper.controller.flink.FlinkDeployment;
import io.tidekeeper.controller.flink.FlinkDeploymentReader;
import io.tidekeeper.controller.flink.JobManagerState;
import io.tidekeeper.controller.flink.JobState;
import io.tidekeeper.controller.job.JobAnswer;
import io.tidekeeper.controller.kubernetes.Holders;
import io.tidekeeper.controller.kubernetes.NamespaceBrakes;
import io.tidekeeper.controller.rollout.Annotations;
import io.tidekeeper.controller.rollout.Brake;
import io.tidekeeper.controller.rollout.Observation;
import io.tidekeeper.controller.rollout.OwnKeys;
import io.tidekeeper.controller.rollout.PolicyView;
import io.tidekeeper.controller.rollout.RolloutState.InSync;
import io.tidekeeper.controller.rollout.TargetRecord;
import io.tidekeeper.crds.PolicyMapping;
import io.tidekeeper.crds.RolloutSettings;
import io.tidekeeper.crds.UnacceptableSpecException;
import io.tidekeeper.crds.WatermarkPolicy;
import io.tidekeeper.policy.PolicySettings;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gathers everything a decision depends on. */
final class Observer {

  private static final Logger LOG = LoggerFactory.getLogger(Observer.class);

  private final ClusterView view;
  private final Refusals refusals;
  private final Telemetry telemetry;
  private final boolean paused;
  private final FlinkDeploymentReader reader = new FlinkDeploymentReader();

  /**
   * @param paused the brake at the controller
   */
  Observer(ClusterView view, Refusals refusals, Telemetry telemetry, boolean paused) {
    this.view = view;
    this.refusals = refusals;
    this.telemetry = telemetry;
    this.paused = paused;
  }

  /** The policy, with the brakes that hold for all its targets. */
  PolicyView policy(WatermarkPolicy policy) {
    Map<String, String> annotations =
        Objects.requireNonNullElse(policy.getMetadata().getAnnotations(), Map.of());
    RolloutSettings rollout = RolloutSettings.of(policy.getSpec().rollout());
    Set<Brake> brakes = EnumSet.noneOf(Brake.class);
    if (rollout.paused()) {
      brakes.add(Brake.POLICY_SPEC);
    }
    if (NamespaceBrakes.isSet(annotations)) {
      brakes.add(Brake.POLICY_ANNOTATION);
    }
    if (view.isPaused(policy.getMetadata().getNamespace())) {
      brakes.add(Brake.NAMESPACE_ANNOTATION);
    }
    if (paused) {
      brakes.add(Brake.CONTROLLER_FLAG);
    }
    PolicySettings settings = null;
    String problems = "";
    try {
      settings = PolicyMapping.toSettings(policy.getSpec());
    } catch (UnacceptableSpecException e) {
      problems = String.valueOf(e.getMessage());
    }
    return new PolicyView(
        settings,
        problems,
        rollout,
        brakes,
        annotations.get(Annotations.RETRY),
        annotations.get(Annotations.REJECT),
        policy.isMarkedForDeletion());
  }

  /** One target of the policy. */
  Sighting target(WatermarkPolicy policy, PolicyView common, TargetRecord record) {
    String namespace = policy.getMetadata().getNamespace();
    GenericKubernetesResource live = view.target(namespace, record.name()).orElse(null);
    if (live == null) {
      return new Sighting(null, new Observation(common, record, null, null, null, "", null));
    }
    FlinkDeployment target = reader.read(live);
    PolicyView own =
        Statuses.targets(policy).contains(record.name()) ? common : common.leavingTarget();
    if (NamespaceBrakes.isSet(target.annotations())) {
      own = own.with(Brake.TARGET_ANNOTATION);
    }
    JobAnswer answer =
        isWorthAsking(target, record, common.settings())
            ? ask(target, namespace)
            : JobAnswer.NOT_ASKED;
    return new Sighting(
        live,
        new Observation(
            own,
            record,
            otherHolder(policy, target),
            target,
            answer.reading(),
            answer.problem(),
            refusals.of(live)));
  }

  private @Nullable String otherHolder(WatermarkPolicy policy, FlinkDeployment target) {
    String namespace = policy.getMetadata().getNamespace();
    return Holders.holder(
            view.policiesOn(namespace, target.name()), target.annotations().get(Annotations.HOLDER))
        .filter(holder -> !holder.getMetadata().getName().equals(policy.getMetadata().getName()))
        .map(Holders::key)
        .orElse(null);
  }

  /** A job that is not up has nothing to say; one that is proven and unchanged need not. */
  private static boolean isWorthAsking(
      FlinkDeployment target, TargetRecord record, @Nullable PolicySettings wanted) {
    if (!target.application() || !isUp(target, record)) {
      return false;
    }
    OwnKeys live = OwnKeys.in(target.configuration());
    boolean unchanged =
        record.state() instanceof InSync
            && record.sources() != null
            && wanted != null
            && wanted.hash().equals(live.hash())
            && wanted.hash().equals(record.appliedHash())
            && record.revision() == live.revision();
    return !unchanged;
  }

  /**
   * Flink collects metrics when it is asked for them, at most every ten seconds, and an operator
   * looks at a job once a minute. A job that starts on a change is asked from the moment its
   * JobManager is ready, so that its numbers are there when the operator is done.
   */
  private static boolean isUp(FlinkDeployment target, TargetRecord record) {
    return target.operator().jobState() == JobState.RUNNING
        || (record.isUnderWay() && target.operator().jobManager() == JobManagerState.READY);
  }

  private JobAnswer ask(FlinkDeployment target, String namespace) {
    JobAnswer answer = view.job(target, namespace);
    telemetry.asked(answer.reading() != null);
    if (answer.reading() == null) {
      LOG.info("the job of {}/{} was not heard: {}", namespace, target.name(), answer.problem());
    }
    return answer;
  }
}
