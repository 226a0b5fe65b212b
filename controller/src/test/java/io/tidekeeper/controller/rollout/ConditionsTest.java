package io.tidekeeper.controller.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.controller.rollout.RolloutState.InSync;
import io.tidekeeper.controller.rollout.RolloutState.Rejected;
import io.tidekeeper.controller.rollout.RolloutState.RollingBack;
import io.tidekeeper.controller.rollout.RolloutState.Saving;
import io.tidekeeper.controller.rollout.RolloutState.Stalled;
import io.tidekeeper.controller.rollout.RolloutState.Verifying;
import io.tidekeeper.controller.rollout.RolloutState.Waiting;
import io.tidekeeper.crds.PolicyCondition;
import io.tidekeeper.crds.RolloutSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What those who watch a policy see, Git tools included. */
class ConditionsTest {

  private static final Instant NOW = Instant.parse("2026-01-05T06:00:00Z");
  private static final Instant LATER = NOW.plus(Duration.ofMinutes(11));

  @Test
  void in_sync_is_ready_and_applied() {
    assertThat(of(record(new InSync(), Reason.Applied), NOW))
        .isEqualTo(
            Map.of("Ready", "True", "Applied", "True", "Reconciling", "False", "Stalled", "False"));
  }

  @Test
  void a_change_under_way_is_reconciling_and_for_nobody_to_fix() {
    assertThat(of(record(new Verifying(flight()), Reason.Verifying), NOW))
        .isEqualTo(
            Map.of("Ready", "True", "Applied", "False", "Reconciling", "True", "Stalled", "False"));
  }

  @Test
  void a_way_back_is_reconciling_and_somebody_should_know() {
    assertThat(of(record(new RollingBack(flight()), Reason.RollingBack), NOW))
        .isEqualTo(
            Map.of(
                "Ready", "False", "Applied", "False", "Reconciling", "True", "Stalled", "False"));
  }

  @Test
  void a_way_back_that_is_held_needs_a_person() {
    for (Reason hold : List.of(Reason.Paused, Reason.Suspended, Reason.FieldConflict)) {
      assertThat(of(record(new RollingBack(flight().held(NOW)), hold), NOW))
          .isEqualTo(
              Map.of(
                  "Ready", "False", "Applied", "False", "Reconciling", "False", "Stalled", "True"));
    }
  }

  @Test
  void a_change_whose_owner_has_stopped_the_job_waits_and_times_nobody_out() {
    assertThat(of(record(new Verifying(flight().held(NOW)), Reason.Suspended), LATER))
        .isEqualTo(
            Map.of(
                "Ready", "True", "Applied", "False", "Reconciling", "False", "Stalled", "False"));
  }

  @Test
  void an_operator_that_does_not_come_becomes_a_persons() {
    TargetRecord record = record(new Saving(flight().held(NOW)), Reason.OperatorPending);
    assertThat(of(record, NOW)).containsEntry("Ready", "True").containsEntry("Reconciling", "True");
    assertThat(of(record, LATER))
        .containsEntry("Ready", "False")
        .containsEntry("Reconciling", "True");
  }

  @Test
  void what_was_taken_back_or_has_stalled_needs_a_person() {
    Map<String, String> person =
        Map.of("Ready", "False", "Applied", "False", "Reconciling", "False", "Stalled", "True");
    assertThat(of(record(new Rejected(), Reason.ChangeRejected), NOW)).isEqualTo(person);
    assertThat(of(record(new Stalled(), Reason.RollbackTimedOut), NOW)).isEqualTo(person);
    assertThat(of(record(new Waiting(), Reason.FieldConflict), NOW)).isEqualTo(person);
  }

  @ParameterizedTest
  @EnumSource(
      value = Reason.class,
      names = {"Paused", "DryRun", "Cooldown", "Suspended"})
  void what_somebody_decided_is_ready_and_never_times_a_git_tool_out(Reason choice) {
    assertThat(of(record(new Waiting(), choice), NOW.plus(Duration.ofDays(9))))
        .isEqualTo(
            Map.of(
                "Ready", "True", "Applied", "False", "Reconciling", "False", "Stalled", "False"));
  }

  @ParameterizedTest
  @EnumSource(
      value = Reason.class,
      names = {"TargetNotFound", "JobNotRunning", "TargetBusy", "JobUnreachable"})
  void what_is_expected_to_pass_is_reconciling_and_becomes_a_persons(Reason expected) {
    TargetRecord record = record(new Waiting(), expected);
    assertThat(of(record, NOW)).containsEntry("Ready", "True").containsEntry("Reconciling", "True");
    assertThat(of(record, LATER))
        .containsEntry("Ready", "False")
        .containsEntry("Reconciling", "True")
        .containsEntry("Stalled", "False");
  }

  @Test
  void a_transition_time_moves_with_the_status_only() {
    List<PolicyCondition> first =
        Conditions.ofTarget(record(new Waiting(), Reason.Paused), 1, List.of(), NOW);
    List<PolicyCondition> second =
        Conditions.ofTarget(record(new Waiting(), Reason.DryRun), 2, first, LATER);
    List<PolicyCondition> third =
        Conditions.ofTarget(record(new InSync(), Reason.Applied), 3, second, LATER);
    assertThat(named(second, "Applied").lastTransitionTime()).isEqualTo(NOW.toString());
    assertThat(named(second, "Applied").reason()).isEqualTo("DryRun");
    assertThat(named(second, "Applied").observedGeneration()).isEqualTo(2);
    assertThat(named(third, "Applied").lastTransitionTime()).isEqualTo(LATER.toString());
    assertThat(named(third, "Ready").lastTransitionTime()).isEqualTo(NOW.toString());
  }

  @Test
  void a_policy_speaks_about_all_its_targets_and_names_the_first_that_matters() {
    List<PolicyCondition> conditions =
        Conditions.ofPolicy(
            policy(Set.of(Brake.CONTROLLER_FLAG)),
            List.of(
                record(new InSync(), Reason.Applied),
                record(new Waiting(), Reason.Conflicted),
                record(new Verifying(flight()), Reason.Verifying)),
            7,
            List.of(),
            NOW);
    assertThat(conditions)
        .extracting(PolicyCondition::type)
        .containsExactly("Ready", "Applied", "Reconciling", "Stalled", "Accepted", "Paused");
    assertThat(named(conditions, "Ready").status()).isEqualTo("False");
    assertThat(named(conditions, "Ready").message()).startsWith("1 of 3 targets, first job: ");
    assertThat(named(conditions, "Applied").message()).startsWith("2 of 3 targets");
    assertThat(named(conditions, "Reconciling").reason()).isEqualTo("Verifying");
    assertThat(named(conditions, "Stalled").reason()).isEqualTo("Conflicted");
    assertThat(named(conditions, "Accepted").status()).isEqualTo("True");
    assertThat(named(conditions, "Paused").status()).isEqualTo("True");
    assertThat(named(conditions, "Paused").message()).contains("--paused");
    assertThat(conditions).extracting(PolicyCondition::observedGeneration).containsOnly(7L);
  }

  @Test
  void a_spec_that_is_no_policy_is_not_accepted_for_the_reasons_given() {
    PolicyView view =
        new PolicyView(
            null,
            "spec.watermark.schedule.timeZone 'Mars': is not a known time zone",
            RolloutSettings.DEFAULTS,
            EnumSet.noneOf(Brake.class),
            null,
            null,
            false);
    PolicyCondition accepted =
        named(Conditions.ofPolicy(view, List.of(), 1, List.of(), NOW), "Accepted");
    assertThat(accepted.status()).isEqualTo("False");
    assertThat(accepted.reason()).isEqualTo("SpecNotAccepted");
    assertThat(accepted.message()).contains("'Mars'");
  }

  private static Map<String, String> of(TargetRecord record, Instant now) {
    return Conditions.ofTarget(record, 1, List.of(), now).stream()
        .collect(Collectors.toMap(PolicyCondition::type, PolicyCondition::status));
  }

  private static PolicyCondition named(List<PolicyCondition> conditions, String type) {
    return conditions.stream().filter(c -> c.type().equals(type)).findFirst().orElseThrow();
  }

  private static PolicyView policy(Set<Brake> brakes) {
    return new PolicyView(
        World.seconds(5), "", RolloutSettings.DEFAULTS, brakes, null, null, false);
  }

  private static TargetRecord record(RolloutState state, Reason reason) {
    TargetRecord fresh = TargetRecord.fresh("job", NOW);
    return fresh.with(
        edit -> {
          edit.state = state;
          edit.notice = new Notice(reason, "because");
        });
  }

  private static Flight flight() {
    return Flight.start("c", "h", 1, OwnKeys.NONE, null, NOW, NOW.plusSeconds(60));
  }
}
