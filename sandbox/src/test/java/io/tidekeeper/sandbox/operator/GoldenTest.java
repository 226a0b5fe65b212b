package io.tidekeeper.sandbox.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read from the recordings, spelled out once. */
class GoldenTest {

  @Test
  void anUpgradeLooksHealthyBeforeItStartsAndKeepsTheOldStartTimeToItsEnd() {
    String old = "stable[running/stateless/10s]";
    assertThat(new Golden("upgrade").looks())
        .containsExactly(
            "gen+0 obs+0 STABLE DEPLOYED last[running/stateless/10s] "
                + old
                + " jm READY job RUNNING id#0 from nothing error none started#0",
            "gen+1 obs+0 STABLE DEPLOYED last[running/stateless/10s] "
                + old
                + " jm READY job RUNNING id#0 from nothing error none started#0",
            "gen+1 obs+1 UPGRADING UPGRADING last[suspended/savepoint/30s] "
                + old
                + " jm READY job FINISHED id#0 from savepoint#0 error none started#0",
            "gen+1 obs+1 UPGRADING UPGRADING last[suspended/savepoint/30s] "
                + old
                + " jm MISSING job FINISHED id#0 from savepoint#0 error none started#0",
            "gen+1 obs+1 UPGRADING UPGRADING last[suspended/savepoint/30s] "
                + old
                + " jm MISSING job FINISHED id#1 from savepoint#0 error none started#0",
            "gen+1 obs+1 DEPLOYED DEPLOYED last[running/savepoint/30s] "
                + old
                + " jm DEPLOYING job RECONCILING id#1 from savepoint#0 error none started#0",
            "gen+1 obs+1 DEPLOYED DEPLOYED last[running/savepoint/30s] "
                + old
                + " jm DEPLOYED_NOT_READY job RECONCILING id#1 from savepoint#0 error none"
                + " started#0",
            "gen+1 obs+1 STABLE DEPLOYED last[running/savepoint/30s] stable[running/savepoint/30s]"
                + " jm READY job RUNNING id#1 from savepoint#0 error none started#1");
  }

  @Test
  void theWayBackIsStableBeforeAnythingRuns() {
    assertThat(new Golden("bad-value").looks())
        .anyMatch(look -> look.contains("error SerializedThrowable(main)"))
        .anyMatch(look -> look.contains(" STABLE ") && look.contains("job RECONCILING"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "first-deploy",
        "upgrade",
        "bad-value",
        "savepoint-blocked",
        "suspended",
        "operator-killed",
        "validation-error"
      })
  void nothingRecordedIsOptional(String scenario) {
    List<String> looks = new Golden(scenario).looks();

    assertThat(looks).hasSizeGreaterThan(4).isEqualTo(Looks.required(looks));
    assertThat(new Golden(scenario).events()).isNotEmpty();
  }
}
