package io.tidekeeper.job.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.policy.PolicyOptions;
import io.tidekeeper.policy.PolicySettings;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class LiveDecisionTest {

  private static final PolicySettings STARTED = policy(10, "5s", Map.of());

  @Test
  void theHigherRevisionWins() {
    PolicySettings newer = policy(11, "30s", Map.of());
    LiveDecision decision = decide(STARTED, newer);
    assertThat(decision.state()).isEqualTo(FileState.IN_FORCE);
    assertThat(decision.inForce()).isEqualTo(newer);

    PolicySettings newest = policy(12, "1s", Map.of());
    assertThat(decide(newer, newest).inForce()).isEqualTo(newest);
  }

  @Test
  void aLowerRevisionChangesNothingAndIsNoMistake() {
    LiveDecision decision = decide(STARTED, policy(9, "30s", Map.of()));
    assertThat(decision.state()).isEqualTo(FileState.OLDER);
    assertThat(decision.state().refused()).isFalse();
    assertThat(decision.inForce()).isSameAs(STARTED);
  }

  @Test
  void theSameRevisionIsInForceWhateverItsSpelling() {
    LiveDecision decision = decide(STARTED, policy(10, "5000ms", Map.of()));
    assertThat(decision.state()).isEqualTo(FileState.IN_FORCE);
    assertThat(decision.inForce()).isSameAs(STARTED);
  }

  @Test
  void theSameRevisionWithOtherOptionsIsRefused() {
    LiveDecision decision = decide(STARTED, policy(10, "6s", Map.of()));
    assertThat(decision.state()).isEqualTo(FileState.SAME_REVISION);
    assertThat(decision.state().refused()).isTrue();
    assertThat(decision.inForce()).isSameAs(STARTED);
    assertThat(decision.message())
        .contains("revision 10 with other options", STARTED.hash(), "give it a higher one");
  }

  @Test
  void whatNeedsARestartIsRefusedWholeAndNamed() {
    LiveDecision decision =
        decide(
            STARTED,
            policy(
                11,
                "30s",
                Map.of(
                    "tidekeeper.default.watermark.idle-timeout", "1m",
                    "tidekeeper.default.late.topic", "late")));
    assertThat(decision.state()).isEqualTo(FileState.NEEDS_RESTART);
    assertThat(decision.inForce()).isSameAs(STARTED);
    assertThat(decision.message())
        .contains(
            "tidekeeper.default.late.topic, tidekeeper.default.watermark.idle-timeout",
            "revision 10 stays in force");
  }

  /** Else two live changes could do together what one may not. */
  @Test
  void whatNeedsARestartIsJudgedByWhatTheJobWasStartedWith() {
    PolicySettings live = policy(11, "30s", Map.of());
    Map<String, String> idle = Map.of("tidekeeper.default.watermark.idle-timeout", "1m");
    assertThat(decide(live, policy(12, "30s", idle)).state()).isEqualTo(FileState.NEEDS_RESTART);
    assertThat(decide(live, policy(12, "5s", Map.of())).state()).isEqualTo(FileState.IN_FORCE);
  }

  @Test
  void aBrokenFileOrNoneLeavesThePreviousRevisionInForce() {
    PolicySettings live = policy(11, "30s", Map.of());
    LiveDecision broken =
        LiveDecision.decide(STARTED, live, new FileContent.Broken("has no tidekeeper.revision"));
    assertThat(broken.state()).isEqualTo(FileState.BROKEN);
    assertThat(broken.inForce()).isSameAs(live);
    assertThat(broken.message())
        .isEqualTo("it has no tidekeeper.revision; revision 11 stays in force");
    LiveDecision absent = LiveDecision.decide(STARTED, live, new FileContent.Absent());
    assertThat(absent.state()).isEqualTo(FileState.ABSENT);
    assertThat(absent.inForce()).isSameAs(live);
  }

  private static LiveDecision decide(PolicySettings inForce, PolicySettings file) {
    return LiveDecision.decide(STARTED, inForce, new FileContent.Policy(file));
  }

  private static PolicySettings policy(long revision, String bound, Map<String, String> more) {
    Map<String, String> options = new HashMap<>(more);
    options.put("tidekeeper.revision", Long.toString(revision));
    options.put("tidekeeper.default.watermark.type", "Bounded");
    options.put("tidekeeper.default.watermark.bounded.max-out-of-orderness", bound);
    return Objects.requireNonNull(PolicyOptions.read(options));
  }
}
