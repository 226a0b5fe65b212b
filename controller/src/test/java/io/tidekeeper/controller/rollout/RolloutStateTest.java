package io.tidekeeper.controller.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidekeeper.controller.rollout.RolloutState.Moving;
import io.tidekeeper.controller.rollout.RolloutState.Resting;
import io.tidekeeper.crds.TargetStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The states, enumerated from the sealed type. */
class RolloutStateTest {

  private static final Instant NOW = Instant.parse("2026-01-05T06:00:00Z");
  private static final Flight FLIGHT =
      Flight.start("c", "h", 1, OwnKeys.NONE, null, NOW, NOW.plusSeconds(60))
          .back(new Notice(Reason.JobFailed, "it failed"), 2, NOW.plusSeconds(90));

  static List<RolloutState> all() {
    return instances(RolloutState.class).stream()
        .sorted((left, right) -> left.name().compareTo(right.name()))
        .toList();
  }

  @Test
  void there_are_these() {
    assertThat(all())
        .extracting(RolloutState::name)
        .containsExactly(
            "InSync",
            "Preparing",
            "Rejected",
            "RollingBack",
            "Saving",
            "Stalled",
            "Upgrading",
            "Verifying",
            "Waiting",
            "Withdrawing");
  }

  @Test
  void a_state_moves_with_a_deadline_or_rests_without() {
    assertThat(all())
        .allSatisfy(
            state -> {
              assertThat(state instanceof Moving ^ state instanceof Resting).isTrue();
              assertThat(state.deadline() != null).isEqualTo(state instanceof Moving);
              assertThat(state.meaning()).endsWith(".");
            });
  }

  @Test
  void every_state_is_left_and_reached() {
    Set<Class<? extends RolloutState>> reached = new LinkedHashSet<>();
    for (RolloutState state : all()) {
      assertThat(state.successors()).isNotEmpty().doesNotContain(state.getClass());
      reached.addAll(state.successors());
    }
    assertThat(reached).hasSize(all().size());
  }

  @Test
  void from_everywhere_a_lost_target_leads_to_waiting() {
    assertThat(all())
        .allMatch(
            state ->
                state instanceof RolloutState.Waiting
                    || state.successors().contains(RolloutState.Waiting.class));
  }

  @Test
  void an_illegal_move_is_an_error_of_ours() {
    TargetRecord record = TargetRecord.fresh("job", NOW);
    assertThatThrownBy(
            () ->
                record.to(
                    new RolloutState.Verifying(FLIGHT), new Notice(Reason.Verifying, ""), NOW))
        .hasMessage("Waiting is never followed by Verifying");
  }

  @Test
  void every_state_survives_the_status() {
    for (RolloutState state : all()) {
      TargetRecord fresh = TargetRecord.fresh("job", NOW);
      TargetRecord record =
          new TargetRecord(
              "job",
              "uid",
              state,
              new Notice(Reason.JobFailed, "it failed"),
              NOW,
              "c",
              "h",
              OwnKeys.NO_HASH,
              2,
              "job-1",
              "file:/savepoint",
              OwnKeys.NONE,
              new TargetRecord.Rejection("c", new Notice(Reason.JobFailed, "it failed")),
              "c/2",
              "c",
              new TargetRecord.CountedFrom("job-1", 1, new LateCount(7, 3)),
              NOW,
              "trips",
              1,
              fresh.history());
      TargetStatus status = TargetRecordCodec.write(record, List.of());
      assertThat(TargetRecordCodec.read(status, NOW)).isEqualTo(record);
    }
  }

  @Test
  void a_status_that_makes_no_sense_reads_as_a_target_nobody_has_looked_at() {
    TargetRecord moving =
        TargetRecord.fresh("job", NOW)
            .to(new RolloutState.Preparing(FLIGHT), new Notice(Reason.Preparing, ""), NOW);
    TargetStatus written = TargetRecordCodec.write(moving, List.of());
    TargetStatus broken =
        new TargetStatus(
            "job",
            "uid",
            null,
            "Dreaming",
            "Applied",
            "",
            written.since(),
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            List.of(),
            List.of());
    assertThat(TargetRecordCodec.read(broken, NOW)).isEqualTo(TargetRecord.fresh("job", NOW));
  }

  private static List<RolloutState> instances(Class<?> type) {
    List<RolloutState> found = new ArrayList<>();
    for (Class<?> permitted : type.getPermittedSubclasses()) {
      if (permitted.isInterface()) {
        found.addAll(instances(permitted));
      } else {
        found.add(instance(permitted));
      }
    }
    return found;
  }

  private static RolloutState instance(Class<?> type) {
    try {
      boolean moves = Arrays.asList(type.getRecordComponents()).size() == 1;
      return (RolloutState)
          (moves
              ? type.getDeclaredConstructor(Flight.class).newInstance(FLIGHT)
              : type.getDeclaredConstructor().newInstance());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
