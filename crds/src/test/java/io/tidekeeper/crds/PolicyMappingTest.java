package io.tidekeeper.crds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.tidekeeper.policy.Adaptive;
import io.tidekeeper.policy.AlignmentSettings;
import io.tidekeeper.policy.Bounded;
import io.tidekeeper.policy.LateDataSettings;
import io.tidekeeper.policy.LateShareOver;
import io.tidekeeper.policy.OnExceeded;
import io.tidekeeper.policy.PartitionOverride;
import io.tidekeeper.policy.PolicyOptions;
import io.tidekeeper.policy.PolicySettings;
import io.tidekeeper.policy.Schedule;
import io.tidekeeper.policy.Share;
import io.tidekeeper.policy.SourceSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a spec means. */
class PolicyMappingTest {

  static Stream<Named<Path>> valid() {
    return Examples.starting("valid");
  }

  static Stream<Named<Path>> unaccepted() {
    return Examples.starting("unaccepted");
  }

  @ParameterizedTest
  @MethodSource("valid")
  void a_valid_policy_has_settings_that_survive_their_options(Path file) {
    PolicySettings settings = PolicyMapping.toSettings(Examples.policy(file).getSpec());
    assertThat(PolicyOptions.read(PolicyOptions.write(settings))).isEqualTo(settings);
  }

  @ParameterizedTest
  @MethodSource("unaccepted")
  void what_only_the_controller_can_see_is_named_by_its_field(Path file) {
    assertThatThrownBy(() -> PolicyMapping.toSettings(Examples.policy(file).getSpec()))
        .isInstanceOf(UnacceptableSpecException.class)
        .hasMessageContaining(Examples.expected(file));
  }

  @Test
  void the_subway_policy_says_what_it_reads_like() {
    PolicySettings settings =
        PolicyMapping.toSettings(
            Examples.policy(Path.of("src/test/resources/crd/valid-subway.yaml")).getSpec());
    SourceSettings common = settings.defaults();
    assertThat(settings.revision()).isZero();
    assertThat(common.outOfOrderness()).isInstanceOf(Schedule.class);
    assertThat(((Schedule) common.outOfOrderness()).windows()).hasSize(2);
    assertThat(common.maxOutOfOrdernessCap()).isEqualTo(Duration.ofMinutes(1));
    assertThat(common.lateData()).isEqualTo(new LateDataSettings(Duration.ZERO, "subway-late"));

    SourceSettings backfill = settings.forSource("backfill");
    assertThat(backfill.outOfOrderness()).isEqualTo(new Bounded(Duration.ofMinutes(10)));
    assertThat(backfill.maxOutOfOrdernessCap()).as("the block is replaced as a whole").isNull();
    assertThat(backfill.maxFutureSkew()).isNull();
    assertThat(backfill.idleTimeout()).isEqualTo(Duration.ofMinutes(5));
    assertThat(backfill.lateData())
        .as("a block not given is the common one")
        .isEqualTo(common.lateData());
    assertThat(backfill.alignment())
        .isEqualTo(
            new AlignmentSettings(
                "subway", Duration.ofSeconds(8), Duration.ofSeconds(1), OnExceeded.PauseLeaders));
  }

  @Test
  void every_problem_is_named_at_once_in_the_words_of_the_resource() {
    UnacceptableSpecException refused =
        catchThrowableOfType(
            UnacceptableSpecException.class,
            () ->
                PolicyMapping.toSettings(
                    spec(
                        """
                        watermark:
                          type: Bounded
                          bounded: {maxOutOfOrderness: 2m}
                          maxOutOfOrdernessCap: 1m
                          emit: {interval: 5m}
                        alignment: {group: a, maxDrift: 0s}
                        lateData: {topic: ".."}
                        sources:
                        - name: depot
                          watermark:
                            type: Schedule
                            schedule:
                              timeZone: Moon/Base
                              default: 5s
                              windows:
                              - {days: [Mon], from: "07:00", to: "08:00", maxOutOfOrderness: 5s}
                              - {days: [Tue], from: "07:00", to: "25:00", maxOutOfOrderness: 5s}
                        """)));
    assertThat(refused.problems())
        .extracting(FieldProblem::field)
        .containsExactlyInAnyOrder(
            "spec.watermark.emit.interval",
            "spec.watermark.bounded.maxOutOfOrderness",
            "spec.alignment.maxDrift",
            "spec.lateData.topic",
            "spec.sources[depot].watermark.idleTimeout",
            "spec.sources[depot].watermark.schedule.timeZone",
            "spec.sources[depot].watermark.schedule.windows[1]");
    assertThat(refused.getMessage())
        .contains("2m is above the watermark.maxOutOfOrdernessCap of 1m")
        .doesNotContain("max-out-of-orderness");
  }

  @Test
  void a_type_only_a_newer_version_knows_is_a_problem_of_its_field_and_breaks_nothing() {
    WatermarkPolicySpec spec =
        spec(
            """
            watermark: {type: Oracle, oracle: {lateShare: 1%}}
            rollout: {mode: Approve, approvedChange: abc}
            """);
    assertThat(RolloutSettings.of(spec.rollout()).mode()).isEqualTo(RolloutMode.DryRun);
    assertThatThrownBy(() -> PolicyMapping.toSettings(spec))
        .isInstanceOf(UnacceptableSpecException.class)
        .hasMessage(
            "spec.watermark.type: must be one of Bounded, Monotonous, Schedule, None, Punctuated,"
                + " Throughput, Quantile, Adaptive");
  }

  @Test
  void strategies_that_learn_and_overrides_mean_what_they_say() {
    SourceSettings common =
        PolicyMapping.toSettings(
                spec(
                    """
                    watermark:
                      type: Adaptive
                      adaptive: {lateShare: 0.5%, max: 1m, initial: 30s}
                      emit: {everyRecords: 1000}
                      partitionOverrides:
                      - {name: depot, topic: events, partitions: ["3", "7-9"], maxOutOfOrderness: 45s}
                      - {name: slow, topic: events, partitions: ["5"], idleTimeout: 2m}
                    """))
            .defaults();
    assertThat(common.outOfOrderness())
        .isEqualTo(
            new Adaptive(
                Share.parse("0.5%"),
                Duration.ZERO,
                Duration.ofMinutes(1),
                Duration.ofSeconds(30),
                LateShareOver.WholeStream));
    assertThat(common.emitEveryRecords()).isEqualTo(1000);
    assertThat(common.partitionOverrides())
        .extracting(PartitionOverride::name)
        .containsExactly("depot", "slow");
    assertThat(common.overrideFor("events-8")).isEqualTo(common.partitionOverrides().get(0));
  }

  @Test
  void nothing_at_all_is_one_readable_problem() {
    assertThatThrownBy(() -> PolicyMapping.toSettings(spec("{}")))
        .hasMessage(
            "spec.watermark.type: must be one of Bounded, Monotonous, Schedule, None, Punctuated,"
                + " Throughput, Quantile, Adaptive");
  }

  @Test
  void the_rollout_block_and_another_spelling_change_no_setting() {
    WatermarkPolicySpec seconds =
        spec("watermark: {type: Bounded, bounded: {maxOutOfOrderness: 60s}}");
    WatermarkPolicySpec minutes =
        spec(
            """
            watermark: {type: Bounded, bounded: {maxOutOfOrderness: 1m}}
            rollout: {paused: true}
            """);
    assertThat(PolicyMapping.toSettings(seconds).hash())
        .isEqualTo(PolicyMapping.toSettings(minutes).hash());
  }

  private static WatermarkPolicySpec spec(String yaml) {
    return new KubernetesSerialization().unmarshal(yaml, WatermarkPolicySpec.class);
  }
}
