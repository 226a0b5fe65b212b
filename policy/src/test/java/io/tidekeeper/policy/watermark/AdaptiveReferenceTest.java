package io.tidekeeper.policy.watermark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tidekeeper.policy.Adaptive;
import io.tidekeeper.policy.LateShareOver;
import io.tidekeeper.policy.Share;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The algorithm against the study it comes from: on the same traces it is as late and as far behind
 * as there. The traces are made by src/test/scripts/make_adaptive_traces.py, with the study's
 * results.
 */
class AdaptiveReferenceTest {

  private static final double TOLERANCE = 0.01;
  private static final Map<String, Trace> TRACES = new HashMap<>();

  /** One line of the study's results. */
  record Line(
      String trace,
      boolean merged,
      LateShareOver over,
      double asked,
      double lateShare,
      double meanLagSeconds) {

    static Line parse(String text) {
      List<String> cells = List.of(text.split(",", -1));
      return new Line(
          cells.get(0),
          cells.get(1).equals("merged"),
          LateShareOver.valueOf(cells.get(2)),
          Double.parseDouble(cells.get(3)),
          Double.parseDouble(cells.get(4)),
          Double.parseDouble(cells.get(5)));
    }
  }

  static List<Line> study() {
    return text("reference.csv").lines().skip(1).map(Line::parse).toList();
  }

  @ParameterizedTest
  @MethodSource("study")
  void asLateAndAsFarBehindAsInTheStudy(Line line) {
    Adaptive strategy =
        new Adaptive(
            new Share((int) Math.round(line.asked() * 1_000_000)),
            Duration.ZERO,
            Duration.ofDays(7),
            Duration.ofMinutes(1),
            line.over());
    Trace.Score score =
        TRACES
            .computeIfAbsent(line.trace(), Trace::read)
            .replay(new AdaptiveLearner(strategy, Long.MAX_VALUE), line.merged());
    assertThat(score.lateShare()).isCloseTo(line.lateShare(), within(TOLERANCE * line.lateShare()));
    assertThat(score.meanLagSeconds())
        .isCloseTo(line.meanLagSeconds(), within(TOLERANCE * line.meanLagSeconds()));
  }

  @Test
  void theTracesAreTheOnesTheStudyScored() throws NoSuchAlgorithmException {
    for (String line : text("SHA256SUMS").lines().toList()) {
      List<String> cells = List.of(line.split("  ", -1));
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes(cells.get(1)));
      assertThat(HexFormat.of().formatHex(digest)).as(cells.get(1)).isEqualTo(cells.get(0));
    }
  }

  private static String text(String name) {
    return new String(bytes(name), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String name) {
    try (InputStream in =
        Objects.requireNonNull(
            AdaptiveReferenceTest.class.getResourceAsStream("/adaptive/" + name))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
