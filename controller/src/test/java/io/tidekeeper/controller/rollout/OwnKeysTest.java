package io.tidekeeper.controller.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.policy.PolicyOptions;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class OwnKeysTest {

  @Test
  void only_the_options_of_a_policy_are_ours() {
    OwnKeys own =
        OwnKeys.in(
            Map.of(
                "rest.port", "8081",
                "tidekeeper.pipeline", "subway",
                "tidekeeper.revision", "7",
                "tidekeeper.default.watermark.type", "None",
                "tidekeeper.source.a.watermark.type", "None"));
    assertThat(own.options())
        .containsOnlyKeys(
            "tidekeeper.revision",
            "tidekeeper.default.watermark.type",
            "tidekeeper.source.a.watermark.type");
    assertThat(own.revision()).isEqualTo(7);
    assertThat(own.isComplete()).isTrue();
  }

  @Test
  void none_is_complete_and_part_of_a_policy_is_not() {
    assertThat(OwnKeys.NONE.isComplete()).isTrue();
    assertThat(OwnKeys.NONE.hash()).isEqualTo(OwnKeys.NO_HASH);
    assertThat(without(PolicyOptions.REVISION).isComplete()).isFalse();
    assertThat(without("tidekeeper.default.watermark.type").isComplete()).isFalse();
    assertThat(OwnKeys.in(Map.of(PolicyOptions.REVISION, "1")).isComplete()).isFalse();
  }

  @Test
  void a_number_changes_no_setting() {
    OwnKeys first = OwnKeys.of(World.seconds(5), 1);
    OwnKeys second = first.withRevision(2);
    assertThat(second.revision()).isEqualTo(2);
    assertThat(second.hash()).isEqualTo(first.hash()).isEqualTo(World.seconds(5).hash());
    assertThat(OwnKeys.NONE.withRevision(2)).isEqualTo(OwnKeys.NONE);
    assertThat(OwnKeys.in(Map.of(PolicyOptions.REVISION, "many")).revision()).isZero();
  }

  @Test
  void the_same_change_has_the_same_name() {
    assertThat(ChangeId.of("a", "b")).isEqualTo(ChangeId.of("a", "b")).matches("[0-9a-f]{10}");
    assertThat(ChangeId.of("a", "b")).isNotEqualTo(ChangeId.of("b", "a"));
  }

  @Test
  void shares_are_compared_exactly() {
    LateCount ten = new LateCount(1_000, 10);
    assertThat(ten).hasToString("1.00% (10 of 1000)");
    assertThat(ten.isHigherShareThan(new LateCount(10_000, 100))).isFalse();
    assertThat(ten.isHigherShareThan(new LateCount(10_000, 99))).isTrue();
    assertThat(new LateCount(0, 0)).hasToString("0% (0 of 0)");
    assertThat(new LateCount(LateCount.SMALLEST_SAMPLE - 1, 9).isSample()).isFalse();
  }

  private static OwnKeys without(String key) {
    Map<String, String> options = new TreeMap<>(OwnKeys.of(World.seconds(5), 1).options());
    options.remove(key);
    return OwnKeys.in(options);
  }
}
