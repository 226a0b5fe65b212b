package io.tidekeeper.sandbox.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.crds.HistoryEntry;
import io.tidekeeper.crds.ReasonStatus;
import io.tidekeeper.crds.TargetStatus;
import io.tidekeeper.sandbox.demo.RolloutClaims.Seen;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RolloutClaimsTest {

  private static final Map<String, String> SETTINGS = Map.of("type", "Schedule");
  private static final String NUMBERS =
      "The late share is 62.50% (5000 of 8000), above the limit of 5% and above 0.00% (0 of 9000)"
          + " before.";
  private static final Seen BEFORE = seen(1, "Succeeded", "LateShareExceeded", "", SETTINGS, 1);

  @Test
  void aBoundIsTakenBackWithTheNumbersThatDecided() {
    assertThat(late(seen(2, "RolledBack", "LateShareExceeded", NUMBERS, SETTINGS, 2))).isTrue();
  }

  @Test
  void itIsNotWhenNumbersAreMissingOrDoNotAddUp() {
    String none = "Too many records were late.";
    String wrong = NUMBERS.replace("62.50%", "12.50%");
    String below = NUMBERS.replace("limit of 5%", "limit of 90%");

    for (String message : List.of(none, wrong, below)) {
      assertThat(late(seen(2, "RolledBack", "LateShareExceeded", message, SETTINGS, 2)))
          .as(message)
          .isFalse();
    }
  }

  @Test
  void itIsNotWhenTheJobDoesNotRunOnTheFormerSettingsUnderANewRevision() {
    Map<String, String> other = Map.of("type", "Bounded");

    assertThat(late(seen(2, "RolledBack", "LateShareExceeded", NUMBERS, other, 2))).isFalse();
    assertThat(late(seen(2, "RolledBack", "LateShareExceeded", NUMBERS, SETTINGS, 1))).isFalse();
    assertThat(late(seen(2, "Stalled", "LateShareExceeded", NUMBERS, SETTINGS, 2))).isFalse();
    assertThat(late(seen(2, "RolledBack", "JobRestarted", NUMBERS, SETTINGS, 2))).isFalse();
  }

  @Test
  void theUnknownSourceIsToBeNamed() {
    Seen named = seen(2, "RolledBack", "JobFailed", "main threw:\nno 'tram' here", SETTINGS, 2);
    Seen unnamed = seen(2, "RolledBack", "JobFailed", "main threw", SETTINGS, 2);

    assertThat(RolloutClaims.unknownSourceTakenBack(BEFORE, named, "tram"))
        .satisfies(
            claim -> {
              assertThat(claim.holds()).isTrue();
              assertThat(claim.text()).contains("\"main threw: no 'tram' here\"");
            });
    assertThat(RolloutClaims.unknownSourceTakenBack(BEFORE, unnamed, "tram").holds()).isFalse();
  }

  @Test
  void anInvalidPolicyChangesNothing() {
    String message = "spec.watermark.bounded.maxOutOfOrderness: too much";

    assertThat(RolloutClaims.refused(true, message, 3, 3).holds()).isTrue();
    assertThat(RolloutClaims.refused(true, message, 3, 4).holds()).isFalse();
    assertThat(RolloutClaims.refused(false, message, 3, 3).holds()).isFalse();
  }

  private static boolean late(Seen after) {
    return RolloutClaims.lateShareTakenBack(BEFORE, after).holds();
  }

  private static Seen seen(
      long revision,
      String outcome,
      String reason,
      String message,
      Map<String, String> settings,
      long reported) {
    HistoryEntry entry =
        new HistoryEntry(
            "0123456789",
            outcome,
            reason,
            message,
            null,
            revision,
            null,
            "2026-03-01T00:00:00Z",
            "2026-03-01T00:00:10Z");
    TargetStatus target =
        new TargetStatus(
            "subway-traffic",
            null,
            "job-" + revision,
            "Rejected",
            reason,
            message,
            null,
            null,
            null,
            null,
            revision,
            null,
            null,
            null,
            null,
            null,
            null,
            "0123456789",
            new ReasonStatus(reason, message.isEmpty() ? "-" : message),
            null,
            null,
            null,
            null,
            null,
            null,
            List.of(),
            List.of(entry));
    return new Seen(target, settings, Set.of(reported));
  }
}
