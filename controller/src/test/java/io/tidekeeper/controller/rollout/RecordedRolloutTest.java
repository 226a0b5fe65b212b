package io.tidekeeper.controller.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidekeeper.controller.flink.FlinkDeployment;
import io.tidekeeper.controller.flink.FlinkDeploymentReader;
import io.tidekeeper.controller.flink.JobState;
import io.tidekeeper.controller.flink.ReconciledSpec;
import io.tidekeeper.controller.flink.Recordings;
import io.tidekeeper.controller.flink.Recordings.Event;
import io.tidekeeper.controller.rollout.JobReading.SourceSubtask;
import io.tidekeeper.controller.rollout.TargetRecord.Outcome;
import io.tidekeeper.crds.RolloutMode;
import io.tidekeeper.crds.RolloutSettings;
import io.tidekeeper.policy.PolicySettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What real operators did, second by second, under the decisions of this controller. In the
 * recordings one option stands for a policy; here each of its values becomes a whole one.
 */
class RecordedRolloutTest {

  private static final String KEY = "tidekeeper.default.max-delay";
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Instant START = Instant.parse("2026-11-29T21:30:00Z");

  static List<String> scenarios() {
    return Recordings.all();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.12.1", "1.15.0"})
  void an_upgrade_goes_through(String version) throws JsonProcessingException {
    Replay replay = new Replay(version + "/upgrade", "10s", "30s");
    replay.run();
    assertThat(replay.states)
        .containsExactly("Preparing", "Saving", "Upgrading", "Verifying", "InSync");
    assertThat(replay.record.history().get(0).outcome()).isEqualTo(Outcome.Succeeded);
    assertThat(replay.record.savepoint()).contains("savepoint-");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.12.1", "1.15.0"})
  void a_bad_value_turns_back_at_the_first_sight_of_failed(String version)
      throws JsonProcessingException {
    Replay replay = new Replay(version + "/bad-value", "30s", "not-a-duration");
    replay.run();
    assertThat(replay.states)
        .startsWith("Preparing", "Saving", "Upgrading", "RollingBack")
        .endsWith("Rejected");
    assertThat(replay.record.history().get(0))
        .satisfies(
            ended -> {
              assertThat(ended.outcome()).isEqualTo(Outcome.RolledBack);
              assertThat(ended.why().reason()).isEqualTo(Reason.JobFailed);
              assertThat(ended.why().message()).contains("not-a-duration");
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.12.1", "1.15.0"})
  void a_savepoint_that_fails_is_withdrawn_and_named(String version)
      throws JsonProcessingException {
    Replay replay = new Replay(version + "/savepoint-blocked", "30s", "45s");
    replay.rollout(Duration.ofSeconds(60), Duration.ofMinutes(5));
    replay.run();
    assertThat(replay.notices).contains(Reason.SavepointFailing);
    assertThat(replay.states).containsExactly("Preparing", "Saving", "Withdrawing", "Rejected");
    assertThat(replay.record.history().get(0).outcome()).isEqualTo(Outcome.Withdrawn);
    assertThat(replay.record.history().get(0).why().message()).contains("Savepoint Error");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.12.1", "1.15.0"})
  void an_operator_killed_under_way_only_takes_longer(String version)
      throws JsonProcessingException {
    List<Event> events = Recordings.read(version + "/operator-killed");
    String before = value(events.get(0).object());
    String after = value(events.get(events.size() - 1).object());
    Replay replay = new Replay(version + "/operator-killed", before, after);
    replay.run();
    assertThat(replay.states)
        .containsExactly("Preparing", "Saving", "Upgrading", "Verifying", "InSync");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.12.1", "1.15.0"})
  void without_slots_the_job_is_waited_for(String version) throws JsonProcessingException {
    List<Event> events = Recordings.read(version + "/no-slots");
    Replay replay =
        new Replay(
            version + "/no-slots",
            value(events.get(0).object()),
            value(events.get(events.size() - 1).object()));
    replay.run();
    assertThat(replay.notices).contains(Reason.Upgrading);
    assertThat(replay.states).endsWith("Verifying", "InSync");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.12.1", "1.15.0"})
  void a_deployment_the_operator_rolled_back_is_rolled_back(String version)
      throws JsonProcessingException {
    List<Event> events = Recordings.read(version + "/rollback-never-running");
    Replay replay =
        new Replay(version + "/rollback-never-running", value(events.get(0).object()), "61s");
    replay.run();
    assertThat(replay.states).contains("RollingBack");
    assertThat(replay.causes).contains(Reason.OperatorRolledBack);
  }

  @Test
  void an_operator_of_1_10_is_left_alone() throws JsonProcessingException {
    Replay replay = new Replay("1.10.0/upgrade", "10s", "30s");
    replay.run();
    assertThat(replay.notices).contains(Reason.OperatorTooOld);
    assertThat(replay.states).doesNotContain("Preparing");
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void no_recorded_moment_breaks_a_decision(String scenario) throws JsonProcessingException {
    List<Event> events = Recordings.read(scenario);
    Replay replay =
        new Replay(
            scenario, value(events.get(0).object()), value(events.get(events.size() / 2).object()));
    replay.run();
    assertThat(replay.record).isNotNull();
  }

  private static String value(JsonNode object) {
    JsonNode configuration = object.path("spec").path("flinkConfiguration");
    return configuration.path(KEY).asText("10s");
  }

  /** A recording with the controller in the place of the one that wrote the option. */
  private static final class Replay {

    private final List<Event> events;
    private final String before;
    private final Map<String, PolicySettings> policies = new HashMap<>();
    private final FlinkDeploymentReader reader = new FlinkDeploymentReader();
    private final PolicySettings desired;
    private RolloutSettings rollout =
        new RolloutSettings(
            RolloutMode.Auto,
            false,
            Duration.ZERO,
            Duration.ofMinutes(10),
            Duration.ofMinutes(5),
            Duration.ofSeconds(10),
            true,
            null);
    private final List<String> states = new ArrayList<>();
    private final List<Reason> notices = new ArrayList<>();
    private final List<Reason> causes = new ArrayList<>();
    private final List<Write> writes = new ArrayList<>();
    private TargetRecord record;

    Replay(String scenario, String before, String after) {
      this.events = Recordings.read(scenario);
      this.before = before;
      this.desired = policy(after);
      this.record = TargetRecord.fresh("counter", START);
    }

    void rollout(Duration savepointTimeout, Duration healthDeadline) {
      rollout =
          new RolloutSettings(
              rollout.mode(),
              rollout.paused(),
              rollout.cooldown(),
              savepointTimeout,
              healthDeadline,
              rollout.healthyFor(),
              rollout.autoRollback(),
              rollout.lateShareAbove());
    }

    void run() throws JsonProcessingException {
      Instant now = START;
      for (int index = 0; index < events.size(); index++) {
        Event event = events.get(index);
        now = START.plusMillis(Math.max(0, event.millis() + 1_000));
        if (index == 0 && event.millis() < 0) {
          // What runs before the first change is a policy that is in sync.
          control(event, now, true);
        }
        control(event, now, false);
        // Between two events the controller polls.
        Instant next =
            index + 1 < events.size()
                ? START.plusMillis(events.get(index + 1).millis() + 1_000)
                : now.plusSeconds(90);
        while (now.plus(Look.POLL).isBefore(next)) {
          now = now.plus(Look.POLL);
          control(event, now, false);
        }
      }
    }

    private void control(Event event, Instant now, boolean settled) throws JsonProcessingException {
      for (int step = 0; step < 12; step++) {
        FlinkDeployment target = reader.read(adapted(event.object()));
        Action action =
            RolloutDecision.decide(
                new Observation(
                    new PolicyView(
                        settled ? policy(before) : desired,
                        "",
                        rollout,
                        EnumSet.noneOf(Brake.class),
                        null,
                        null,
                        false),
                    record,
                    null,
                    target,
                    reading(target, now),
                    "",
                    null),
                now);
        if (action instanceof Action.Remember remember) {
          remember(remember.next(), settled);
        } else if (action instanceof Action.Apply apply) {
          // The recording writes by itself, at its own time.
          Write write = new Write(target.generation(), apply.keys());
          if (!writes.contains(write)) {
            writes.add(write);
          }
          return;
        } else {
          return;
        }
      }
      throw new AssertionError("the controller never waits: " + record);
    }

    private void remember(TargetRecord next, boolean settled) {
      if (!settled && !next.state().name().equals(record.state().name())) {
        states.add(next.state().name());
      }
      notices.add(next.notice().reason());
      if (next.state() instanceof RolloutState.WayBack back && back.flight().cause() != null) {
        causes.add(back.flight().cause().reason());
      }
      record = TargetRecordCodec.read(TargetRecordCodec.write(next, List.of()), Instant.MIN);
      assertThat(record).isEqualTo(next);
    }

    private @Nullable JobReading reading(FlinkDeployment target, Instant now) {
      ReconciledSpec reconciled = target.operator().reconciled();
      if (target.operator().jobState() != JobState.RUNNING || reconciled == null) {
        return null;
      }
      long seconds = Duration.between(START, now).toSeconds();
      long revision = OwnKeys.in(reconciled.configuration()).revision();
      return new JobReading(
          List.of(new SourceSubtask("trips", 0, revision, 1)),
          0,
          seconds,
          Duration.ofSeconds(5),
          new LateCount(seconds * 50, 0),
          seconds * 1_000);
    }

    private PolicySettings policy(String value) {
      return policies.computeIfAbsent(value, any -> World.seconds(10 + policies.size()));
    }

    /** Every value of the one option becomes a whole policy. */
    private JsonNode adapted(JsonNode object) throws JsonProcessingException {
      JsonNode copy = object.deepCopy();
      long generation = copy.path("metadata").path("generation").asLong();
      replace(copy.path("spec").path("flinkConfiguration"), generation);
      for (JsonNode entry : copy.path("metadata").path("managedFields")) {
        JsonNode fields = entry.path("fieldsV1").path("f:spec").path("f:flinkConfiguration");
        if (fields instanceof ObjectNode owned && owned.remove("f:" + KEY) != null) {
          OwnKeys.of(desired, 1).options().keySet().forEach(key -> owned.putObject("f:" + key));
          ((ObjectNode) entry).put("manager", FieldOwners.MANAGER);
        }
      }
      JsonNode status = copy.path("status").path("reconciliationStatus");
      String last = status.path("lastReconciledSpec").asText("");
      if (!last.isEmpty()) {
        ObjectNode reconciled = (ObjectNode) MAPPER.readTree(last);
        replace(
            reconciled.path("spec").path("flinkConfiguration"),
            copy.path("status").path("observedGeneration").asLong());
        ((ObjectNode) status).put("lastReconciledSpec", MAPPER.writeValueAsString(reconciled));
      }
      return copy;
    }

    private void replace(JsonNode configuration, long generation) {
      if (!(configuration instanceof ObjectNode flat)) {
        return;
      }
      JsonNode value = flat.remove(KEY);
      if (value == null || value.isObject()) {
        return;
      }
      keys(value.asText(), generation).options().forEach(flat::put);
    }

    /** The options of a value: as the controller wrote them, from the generation it wrote. */
    private OwnKeys keys(String value, long generation) {
      PolicySettings settings = policy(value);
      OwnKeys keys = OwnKeys.of(settings, 1);
      for (Write write : writes) {
        if (write.above() < generation && settings.hash().equals(write.keys().hash())) {
          keys = write.keys();
        }
      }
      return keys;
    }

    /** Options the controller wrote when it had seen this generation. */
    private record Write(long above, OwnKeys keys) {}
  }
}
