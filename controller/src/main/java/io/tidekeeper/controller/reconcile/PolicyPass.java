package io.tidekeeper.controller.reconcile;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidekeeper.controller.kubernetes.Holders;
import io.tidekeeper.controller.kubernetes.WriteResult;
import io.tidekeeper.controller.kubernetes.WriteResult.FieldConflict;
import io.tidekeeper.controller.rollout.Notice;
import io.tidekeeper.controller.rollout.PolicyView;
import io.tidekeeper.controller.rollout.TargetRecord;
import io.tidekeeper.crds.WatermarkPolicy;
import io.tidekeeper.crds.WatermarkPolicyStatus;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One pass over one policy: observe, decide, act. Thread-safe; one pass per policy at a time. */
public final class PolicyPass {

  private static final Logger LOG = LoggerFactory.getLogger(PolicyPass.class);

  private final Observer observer;
  private final ClusterWrites writes;
  private final Refusals refusals = new Refusals();
  private final Telemetry telemetry;
  private final Clock clock;

  /**
   * What came of a pass.
   *
   * @param written the policy as it was written, or null when it was not or is gone with it
   * @param targets the names of the targets that it still has to do with
   * @param again when to look again at the latest
   */
  public record Result(@Nullable WatermarkPolicy written, Set<String> targets, Duration again) {

    /** Copies the names. */
    public Result {
      targets = Set.copyOf(targets);
    }
  }

  private record Plan(Sighting sighting, Deliberation deliberation) {}

  /**
   * @param paused whether the brake at the controller is on
   */
  public PolicyPass(
      ClusterView view, ClusterWrites writes, Telemetry telemetry, Clock clock, boolean paused) {
    this.observer = new Observer(view, refusals, telemetry, paused);
    this.writes = writes;
    this.telemetry = telemetry;
    this.clock = clock;
  }

  /**
   * Runs a pass.
   *
   * @throws RuntimeException when it could not be ended; the status then says so, and what was
   *     remembered stays
   */
  public Result run(WatermarkPolicy policy) {
    WatermarkPolicy written = null;
    try {
      Instant now = clock.instant();
      PolicyView common = observer.policy(policy);
      List<Plan> plans = new ArrayList<>();
      for (TargetRecord record : Statuses.records(policy, now)) {
        Sighting sighting = observer.target(policy, common, record);
        plans.add(new Plan(sighting, Deliberation.over(sighting.observation(), now)));
      }
      List<TargetRecord> records = kept(policy, plans);
      WatermarkPolicyStatus status = Statuses.make(policy, braked(common, plans), records, now);
      if (!status.equals(policy.getStatus())) {
        written = writes.writeStatus(policy, status);
      }
      // From here on a restart knows what was meant.
      telemetry.targets(Holders.key(policy), records);
      plans.forEach(plan -> tell(policy, plan));
      WatermarkPolicy current = written == null ? policy : written;
      List<String> finalizers = Finalizers.wanted(current.getMetadata(), records);
      boolean over = policy.isMarkedForDeletion() && finalizers.isEmpty();
      if (!finalizers.equals(Finalizers.of(current.getMetadata()))) {
        written = writes.writeFinalizers(current, finalizers);
      }
      // From here on the policy stays until there is a verdict.
      Duration again = Duration.ofDays(1);
      for (Plan plan : plans) {
        act(policy, plan);
        Duration wait = plan.deliberation().again();
        again = wait.compareTo(again) < 0 ? wait : again;
      }
      return new Result(over ? null : written, names(records), again);
    } catch (KubernetesClientException e) {
      if (e.getCode() == 409 || e.getCode() == 404) {
        // Somebody was faster, or the policy is gone: the next look sees it.
        LOG.debug("{} has changed meanwhile", Holders.key(policy), e);
        return new Result(written, Statuses.known(policy), Deliberation.SOON);
      }
      report(written == null ? policy : written, e);
      throw e;
    } catch (RuntimeException e) {
      report(written == null ? policy : written, e);
      throw e;
    }
  }

  /** The records without those of targets that the policy has left, and that have their verdict. */
  private static List<TargetRecord> kept(WatermarkPolicy policy, List<Plan> plans) {
    Set<String> named = Statuses.targets(policy);
    return plans.stream()
        .map(plan -> plan.deliberation().record())
        .filter(record -> named.contains(record.name()) || record.isUnderWay())
        .toList();
  }

  private static Set<String> names(List<TargetRecord> records) {
    return records.stream().map(TargetRecord::name).collect(Collectors.toSet());
  }

  private void act(WatermarkPolicy policy, Plan plan) {
    GenericKubernetesResource live = plan.sighting().live();
    if (plan.deliberation().apply() == null || live == null) {
      return;
    }
    WriteResult result =
        writes.apply(live, plan.deliberation().apply(), policy.getMetadata().getName());
    telemetry.wrote(result.label());
    LOG.info("wrote to FlinkDeployment {}: {}", Holders.key(live), result);
    if (result instanceof FieldConflict conflict) {
      refusals.remember(live, conflict);
    }
  }

  private void tell(WatermarkPolicy policy, Plan plan) {
    for (Notice notice : plan.deliberation().news()) {
      LOG.info(
          "{} on {}: {}: {}",
          Holders.key(policy),
          plan.deliberation().record().name(),
          notice.reason(),
          notice.message());
      telemetry.told(notice.reason());
      writes.tell(policy, reference(policy, plan), plan.deliberation().record().revision(), notice);
    }
  }

  private static ObjectReference reference(WatermarkPolicy policy, Plan plan) {
    GenericKubernetesResource live = plan.sighting().live();
    return new ObjectReferenceBuilder()
        .withApiVersion(live == null ? FlinkDeployments.API_VERSION : live.getApiVersion())
        .withKind(FlinkDeployments.KIND)
        .withNamespace(policy.getMetadata().getNamespace())
        .withName(plan.deliberation().record().name())
        .withUid(live == null ? null : live.getMetadata().getUid())
        .build();
  }

  /** The view of the policy with the brakes of any of its targets. */
  private static PolicyView braked(PolicyView common, List<Plan> plans) {
    return plans.stream()
        .map(plan -> plan.sighting().observation().policy())
        .filter(view -> view.brakes().size() > common.brakes().size())
        .findFirst()
        .orElse(common);
  }

  private void report(WatermarkPolicy current, RuntimeException error) {
    telemetry.failed();
    WatermarkPolicyStatus status = Statuses.withError(current, error, clock.instant());
    if (status.equals(current.getStatus())) {
      return;
    }
    try {
      writes.writeStatus(current, status);
    } catch (KubernetesClientException e) {
      LOG.warn("the status of {} could not tell about an error", Holders.key(current), e);
    }
  }
}
