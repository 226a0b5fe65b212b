package io.tidekeeper.sandbox.controller;

import static io.tidekeeper.sandbox.controller.Subway.BOUND;
import static io.tidekeeper.sandbox.controller.Subway.POLICY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.tidekeeper.controller.rollout.Annotations;
import io.tidekeeper.controller.rollout.Conditions;
import io.tidekeeper.crds.HistoryEntry;
import io.tidekeeper.crds.TargetStatus;
import io.tidekeeper.sandbox.traffic.Disorder;
import io.tidekeeper.sandbox.traffic.Traffic;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A bound that is too tight for the traffic is taken back by the numbers of the job itself. */
@NullUnmarked
@ExtendWith(Chain.Shared.class)
class LateShareRollbackIT {

  /** At the bound of 2 s below, every tenth record may be late. */
  private static final Disorder DISORDER =
      new Disorder(Duration.ofSeconds(1), Duration.ofSeconds(20), 0.1);

  private static final int RECORDS_PER_SECOND = 500;
  private static final String ROLLOUT = "healthyFor: 15s, abortWhen: {lateShareAbove: 1%}";
  private static final Pattern NUMBERS =
      Pattern.compile("The late share is ([0-9.]+)% \\(([0-9]+) of ([0-9]+)[ )].*limit of 1%");

  @Test
  void aBoundTooTightIsRolledBackTriedOnceMoreWhenAskedAndCorrected(Chain chain) {
    Cluster cluster = chain.cluster;
    try (Subway subway = chain.subway();
        Chain.Controller controller = chain.controller(subway.namespace)) {
      assertThat(controller.running().isReady()).isTrue();
      TargetStatus before = subway.begin("30s");
      try (Traffic traffic = subway.traffic(RECORDS_PER_SECOND, DISORDER)) {
        assertThat(traffic.progress().ended()).isFalse();
        Map<String, String> settings = subway.settings();

        subway.apply(subway.spec("2s", ROLLOUT, ""));

        TargetStatus rejected =
            subway.awaitTarget(target -> "ChangeRejected".equals(target.reason()));
        assertThat(rejected.state()).isEqualTo("Rejected");
        assertNumbers(rejected.message());
        assertNumbers(rejected.rejection().message());
        assertThat(rejected.rejection().reason()).isEqualTo("LateShareExceeded");
        String change = rejected.rejectedChange();
        assertThat(rejected.message()).contains(change, "tidekeeper.io/retry");
        assertThat(subway.settings()).isEqualTo(settings);
        assertThat(rejected.revision()).isGreaterThan(before.revision());
        assertThat(subway.options())
            .containsEntry("tidekeeper.revision", String.valueOf(rejected.revision()));
        HistoryEntry newest = rejected.history().get(0);
        assertThat(newest.change()).isEqualTo(change);
        assertThat(newest.outcome()).isEqualTo("RolledBack");
        assertThat(newest.reason()).isEqualTo("LateShareExceeded");
        assertNumbers(newest.message());
        assertThat(cluster.condition(subway.namespace, POLICY, Conditions.APPLIED).status())
            .isEqualTo("False");
        assertThat(cluster.condition(subway.namespace, POLICY, Conditions.STALLED).status())
            .isEqualTo("True");
        assertThat(subway.topics().routed(subway.late())).as("the late topic").isNotEmpty();
        assertNumbers(note(cluster, subway, "RollingBack"));
        assertNumbers(note(cluster, subway, "ChangeRejected"));

        subway.annotate(Annotations.RETRY, change);

        TargetStatus again = subway.awaitTarget(target -> outcomes(target).size() == 3);
        assertThat(outcomes(again)).containsExactly("RolledBack", "RolledBack", "Succeeded");
        assertThat(again.history()).extracting(HistoryEntry::change).startsWith(change, change);
        assertThat(again.state()).isEqualTo("Rejected");
        assertThat(again.handledRetry()).isEqualTo(change);
        assertThat(again.revision()).isGreaterThan(rejected.revision());
        assertThat(subway.settings()).isEqualTo(settings);
        long generation = subway.generation();
        subway.awaitAnotherPolicysLook();
        assertThat(subway.generation()).as("granted once").isEqualTo(generation);

        subway.apply(subway.spec("25s", ROLLOUT, ""));

        TargetStatus corrected = subway.awaitInSync("25s");
        assertThat(outcomes(corrected)).startsWith("Succeeded", "RolledBack", "RolledBack");
        assertThat(corrected.rejectedChange()).isNull();
        assertThat(subway.generation()).isEqualTo(generation + 1);
        assertThat(subway.options().get(BOUND)).isEqualTo("25s");
        assertThat(cluster.condition(subway.namespace, POLICY, Conditions.APPLIED).status())
            .isEqualTo("True");
        assertThat(traffic.progress().ended()).as("traffic until the end").isFalse();
      }
    }
  }

  private static List<String> outcomes(TargetStatus target) {
    return target.history().stream().map(HistoryEntry::outcome).toList();
  }

  /** The share, and the records it was made of. */
  private static void assertNumbers(String message) {
    Matcher numbers = NUMBERS.matcher(message);
    assertThat(numbers.find()).as(message).isTrue();
    double share = Double.parseDouble(numbers.group(1));
    long late = Long.parseLong(numbers.group(2));
    long records = Long.parseLong(numbers.group(3));
    assertThat(records).as(message).isGreaterThanOrEqualTo(1_000);
    assertThat(share).as(message).isBetween(1.0, 12.0);
    assertThat(100.0 * late / records).as(message).isCloseTo(share, within(0.01));
  }

  private static String note(Cluster cluster, Subway subway, String reason) {
    List<Event> events =
        cluster.admin().events().v1().events().inNamespace(subway.namespace).list().getItems();
    return events.stream()
        .filter(event -> POLICY.equals(event.getRegarding().getName()))
        .filter(event -> reason.equals(event.getReason()) && "Warning".equals(event.getType()))
        .map(event -> Objects.requireNonNull(event.getNote()))
        .findFirst()
        .orElseThrow();
  }
}
