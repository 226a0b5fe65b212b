package io.tidekeeper.job.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidekeeper.policy.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LiveOptionsTest {

  private final List<Problem> problems = new ArrayList<>();

  @Test
  void withoutAFileNothingIsWatched() {
    assertThat(LiveOptions.read(Map.of(), problems)).isEqualTo(LiveOptions.OFF);
    assertThat(LiveOptions.OFF.on()).isFalse();
    assertThat(problems).isEmpty();
  }

  @Test
  void fileAndIntervalAreRead() {
    LiveOptions options =
        LiveOptions.read(
            Map.of(LiveOptions.FILE, "/opt/policy/p", LiveOptions.INTERVAL, "1s"), problems);
    assertThat(options).isEqualTo(new LiveOptions("/opt/policy/p", Duration.ofSeconds(1)));
    assertThat(options.on()).isTrue();
    assertThat(problems).isEmpty();
  }

  @Test
  void everyProblemIsNamed() {
    LiveOptions.read(Map.of(LiveOptions.FILE, "p", LiveOptions.INTERVAL, "99ms"), problems);
    LiveOptions.read(Map.of(LiveOptions.INTERVAL, "soon"), problems);
    assertThat(problems)
        .extracting(Problem::option)
        .containsExactly(LiveOptions.FILE, LiveOptions.INTERVAL, LiveOptions.INTERVAL);
    assertThat(problems.get(0).message()).contains("absolute path");
    assertThat(problems.get(1).message()).contains("100ms to 1h");
    assertThat(problems.get(2).message()).contains("100ms to 1h");
  }
}
