package io.tidekeeper.controller.rollout;

import io.tidekeeper.crds.PolicyCondition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The conditions of a policy and of each target, in the sense of kstatus: Reconciling and Stalled
 * say whether to wait or to look, so that a Git tool neither hangs on a policy that waits for
 * somebody's decision nor passes over one that needs a person.
 */
public final class Conditions {

  /** Nothing is for a person to do. */
  public static final String READY = "Ready";

  /** The newest spec runs on every target. */
  public static final String APPLIED = "Applied";

  /** The spec means a policy. */
  public static final String ACCEPTED = "Accepted";

  /** Something is under way or expected. */
  public static final String RECONCILING = "Reconciling";

  /** Nothing goes on without a person. */
  public static final String STALLED = "Stalled";

  /** A brake is on. */
  public static final String PAUSED = "Paused";

  private final List<PolicyCondition> previous;
  private final long generation;
  private final Instant now;

  private Conditions(List<PolicyCondition> previous, long generation, Instant now) {
    this.previous = previous;
    this.generation = generation;
    this.now = now;
  }

  /**
   * The conditions of one target: Ready, Applied, Reconciling and Stalled.
   *
   * @param previous its conditions so far, for the transition times
   */
  public static List<PolicyCondition> ofTarget(
      TargetRecord record, long generation, List<PolicyCondition> previous, Instant now) {
    return new Conditions(previous, generation, now).overTargets(List.of(record));
  }

  /**
   * The conditions of a policy over all its targets.
   *
   * @param previous its conditions so far, for the transition times
   */
  public static List<PolicyCondition> ofPolicy(
      PolicyView policy,
      List<TargetRecord> records,
      long generation,
      List<PolicyCondition> previous,
      Instant now) {
    Conditions conditions = new Conditions(previous, generation, now);
    List<PolicyCondition> all = new ArrayList<>(conditions.overTargets(records));
    all.add(
        policy.settings() != null
            ? conditions.condition(
                ACCEPTED, true, new Notice(Reason.Accepted, "The spec is a policy."))
            : conditions.condition(
                ACCEPTED, false, new Notice(Reason.SpecNotAccepted, policy.problems())));
    List<String> places = policy.brakes().stream().map(Brake::place).toList();
    all.add(
        places.isEmpty()
            ? conditions.condition(PAUSED, false, new Notice(Reason.NotPaused, "No brake is on."))
            : conditions.condition(
                PAUSED, true, new Notice(Reason.Paused, String.join(", and ", places) + ".")));
    return all;
  }

  private List<PolicyCondition> overTargets(List<TargetRecord> records) {
    return List.of(
        all(READY, records, Standing::ready),
        all(APPLIED, records, Standing::applied),
        any(RECONCILING, records, Standing::reconciling),
        any(STALLED, records, Standing::stalled));
  }

  private PolicyCondition all(
      String type, List<TargetRecord> records, Predicate<Standing> property) {
    List<TargetRecord> without = having(records, property.negate());
    return condition(
        type, without.isEmpty(), tell(without.isEmpty() ? leading(records) : without, records));
  }

  private PolicyCondition any(
      String type, List<TargetRecord> records, Predicate<Standing> property) {
    List<TargetRecord> with = having(records, property);
    return condition(
        type, !with.isEmpty(), tell(with.isEmpty() ? leading(records) : with, records));
  }

  private List<TargetRecord> having(List<TargetRecord> records, Predicate<Standing> property) {
    return records.stream().filter(record -> property.test(Standing.of(record, now))).toList();
  }

  /** The target that says most: one that is not applied, else the first. */
  private List<TargetRecord> leading(List<TargetRecord> records) {
    List<TargetRecord> open = having(records, standing -> !standing.applied());
    return (open.isEmpty() ? records : open).stream().limit(1).toList();
  }

  private static Notice tell(List<TargetRecord> told, List<TargetRecord> records) {
    if (told.isEmpty()) {
      return new Notice(Reason.Pending, "The policy has no target.");
    }
    TargetRecord first = told.get(0);
    if (records.size() == 1) {
      return first.notice();
    }
    return new Notice(
        first.notice().reason(),
        "%d of %d targets, first %s: %s"
            .formatted(told.size(), records.size(), first.name(), first.notice().message()));
  }

  private PolicyCondition condition(String type, boolean status, Notice notice) {
    String value = status ? "True" : "False";
    String since = now.toString();
    for (PolicyCondition before : previous) {
      if (before.type().equals(type) && before.status().equals(value)) {
        since = before.lastTransitionTime();
      }
    }
    return new PolicyCondition(
        type, value, notice.reason().name(), notice.message(), since, generation);
  }
}
