package io.tidekeeper.controller.reconcile;

import io.tidekeeper.controller.rollout.Conditions;
import io.tidekeeper.controller.rollout.PolicyView;
import io.tidekeeper.controller.rollout.Reason;
import io.tidekeeper.controller.rollout.TargetRecord;
import io.tidekeeper.controller.rollout.TargetRecordCodec;
import io.tidekeeper.crds.PolicyCondition;
import io.tidekeeper.crds.TargetRef;
import io.tidekeeper.crds.TargetStatus;
import io.tidekeeper.crds.WatermarkPolicy;
import io.tidekeeper.crds.WatermarkPolicyStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Reads and makes the status of a policy. */
final class Statuses {

  /** The status of a condition that is not known. */
  private static final String UNKNOWN = "Unknown";

  private static final int LONGEST = 2000;

  private Statuses() {}

  /** The names of the targets that the spec lists. */
  static Set<String> targets(WatermarkPolicy policy) {
    Set<String> names = new LinkedHashSet<>();
    if (policy.getSpec() != null) {
      policy.getSpec().targetRefs().stream().map(TargetRef::name).forEach(names::add);
    }
    return names;
  }

  /** The names of the targets that the spec or the status lists. */
  static Set<String> known(WatermarkPolicy policy) {
    Set<String> names = targets(policy);
    of(policy).targets().forEach(target -> names.add(target.name()));
    return names;
  }

  /**
   * Whether the policy has to do with the target: its spec names it, or a change that it began
   * there is under way. One that is being deleted begins nothing any more.
   */
  static boolean claims(WatermarkPolicy policy, String target) {
    return (!policy.isMarkedForDeletion() && targets(policy).contains(target))
        || underWay(policy).contains(target);
  }

  /** The names of the targets on which a change of the policy is under way. */
  static Set<String> underWay(WatermarkPolicy policy) {
    Set<String> names = new LinkedHashSet<>();
    for (TargetStatus target : of(policy).targets()) {
      if (TargetRecordCodec.read(target, Instant.EPOCH).isUnderWay()) {
        names.add(target.name());
      }
    }
    return names;
  }

  /**
   * What is remembered about each target of the spec, in its order; then about those that the spec
   * no longer names while a change is under way on them.
   */
  static List<TargetRecord> records(WatermarkPolicy policy, Instant now) {
    List<TargetStatus> known = of(policy).targets();
    Set<String> names = targets(policy);
    names.addAll(underWay(policy));
    return names.stream()
        .map(
            name ->
                known.stream()
                    .filter(target -> target.name().equals(name))
                    .findFirst()
                    .map(target -> TargetRecordCodec.read(target, now))
                    .orElseGet(() -> TargetRecord.fresh(name, now)))
        .toList();
  }

  /** The status that says this. */
  static WatermarkPolicyStatus make(
      WatermarkPolicy policy, PolicyView view, List<TargetRecord> records, Instant now) {
    WatermarkPolicyStatus before = of(policy);
    long generation = generation(policy);
    List<TargetStatus> targets = new ArrayList<>();
    for (TargetRecord record : records) {
      List<PolicyCondition> previous =
          before.targets().stream()
              .filter(target -> target.name().equals(record.name()))
              .findFirst()
              .map(TargetStatus::conditions)
              .orElse(List.of());
      targets.add(
          TargetRecordCodec.write(record, Conditions.ofTarget(record, generation, previous, now)));
    }
    return new WatermarkPolicyStatus(
        generation,
        Conditions.ofPolicy(view, records, generation, before.conditions(), now),
        targets);
  }

  /** The same status with Ready unknown because of an error; everything remembered stays. */
  static WatermarkPolicyStatus withError(WatermarkPolicy policy, Throwable error, Instant now) {
    WatermarkPolicyStatus before = of(policy);
    String text = "The controller failed and tries again: " + error;
    String since = now.toString();
    List<PolicyCondition> conditions = new ArrayList<>();
    for (PolicyCondition condition : before.conditions()) {
      if (!condition.type().equals(Conditions.READY)) {
        conditions.add(condition);
      } else if (condition.status().equals(UNKNOWN)) {
        since = condition.lastTransitionTime();
      }
    }
    conditions.add(
        0,
        new PolicyCondition(
            Conditions.READY,
            UNKNOWN,
            Reason.ControllerFailed.name(),
            text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text,
            since,
            generation(policy)));
    return new WatermarkPolicyStatus(before.observedGeneration(), conditions, before.targets());
  }

  private static long generation(WatermarkPolicy policy) {
    Long generation = policy.getMetadata().getGeneration();
    return generation == null ? 0 : generation;
  }

  static WatermarkPolicyStatus of(WatermarkPolicy policy) {
    return policy.getStatus() == null
        ? new WatermarkPolicyStatus(null, List.of(), List.of())
        : policy.getStatus();
  }
}
