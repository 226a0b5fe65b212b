package io.tidekeeper.sandbox.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class PrometheusTextTest {
  @Test
  void readsSamplesWithAndWithoutLabels() {
    String text =
        """
        # HELP a about a
        # TYPE a gauge
        a 1.5
        b{x="1",y="two, \\"quoted\\" \\\\ and } \\n newline",} -9.223372036854775808E18
        c{} +Inf 1700000000000

        d{x=""} NaN
        """;

    assertThat(PrometheusText.parse(text))
        .containsExactly(
            new Sample("a", Map.of(), 1.5),
            new Sample("b", Map.of("x", "1", "y", "two, \"quoted\" \\ and } \n newline"), -0x1p63),
            new Sample("c", Map.of(), Double.POSITIVE_INFINITY),
            new Sample("d", Map.of("x", ""), Double.NaN));
  }

  @Test
  void namesTheLineThatIsNoSample() {
    for (String line : new String[] {"a", "a{x=1} 2", "a{x=\"1 2", "a b"}) {
      assertThatThrownBy(() -> PrometheusText.parse(line))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("not a sample: " + line);
    }
  }
}
