package io.tidekeeper.sandbox.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DescriptionTest {

  @Test
  void whatOnlyMachinesReadIsLeftOutWithAllThatIsBelowIt() {
    String described =
        """
        Name:         subway
        Annotations:  a: b
        Kind:         WatermarkPolicy
        Metadata:
          Generation:  2
        Spec:
          Watermark:
            Type:  Schedule
        Status:
          Conditions:
            Last Transition Time:  2026-03-01T00:00:00Z
            Message:               The job runs.
            Type:                  Ready
          Observed Generation:     2
          Targets:
            Change:  0123456789
            Conditions:
              Type:  Ready
            Previous:
              tidekeeper.revision:  1
            State:  InSync
        Events:
          Type  Reason
        """;

    assertThat(Description.shortened(described))
        .isEqualTo(
            """
            Name:         subway
            Status:
              Conditions:
                Message:               The job runs.
                Type:                  Ready
              Targets:
                Change:  0123456789
                State:  InSync""");
  }

  @Test
  void namesInYamlAreTheSameNames() {
    assertThat(Description.shortened("observedGeneration: 2\nstate: InSync\nundo:\n  a: b"))
        .isEqualTo("state: InSync");
  }
}
