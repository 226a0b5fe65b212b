package io.tidekeeper.job.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.Test;

/**
 * The reference of metrics is generated from the catalogue; a reader never finds an outdated one.
 */
class MetricsReferenceTest {

  private static final Path REFERENCE = Path.of("..", "docs", "metrics.md");

  private static final Pattern OURS = Pattern.compile("\\bflink_\\w+_tidekeeper_\\w+");

  /** With {@code -Dtidekeeper.refresh-docs=true} the file is written instead. */
  private static final boolean REFRESH = Boolean.getBoolean("tidekeeper.refresh-docs");

  @Test
  void theReferenceInDocsIsTheCatalogue() throws IOException {
    String reference = reference();
    if (REFRESH) {
      Files.writeString(REFERENCE, reference);
    }
    assertThat(Files.readString(REFERENCE))
        .as("docs/metrics.md is outdated; `make docs` writes it anew")
        .isEqualTo(reference);
  }

  @Test
  void noTwoMetricsHaveTheSameNameAndEachPlaceHasSome() {
    assertThat(JobMetric.values()).extracting(JobMetric::prometheusName).doesNotHaveDuplicates();
    assertThat(JobMetric.values()).extracting(JobMetric::place).contains(MetricPlace.values());
  }

  @Test
  void whatPagesAskPrometheusForIsInTheCatalogue() throws IOException {
    List<String> catalogue =
        Arrays.stream(JobMetric.values()).map(JobMetric::prometheusName).toList();
    try (Stream<Path> files = Files.walk(REFERENCE.getParent())) {
      List<Path> pages = files.filter(file -> file.toString().endsWith(".md")).toList();
      assertThat(pages).contains(REFERENCE);
      for (Path page : pages) {
        assertThat(OURS.matcher(Files.readString(page)).results().map(MatchResult::group))
            .as(page.toString())
            .isSubsetOf(catalogue);
      }
    }
  }

  @Test
  void aMetricWithoutItsLabelsIsRefused() {
    assertThatThrownBy(
            () -> JobMetric.WATERMARK.gauge(new UnregisteredMetricsGroup(), () -> 1L, "t-0", "x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("SPLIT has the labels [split], not the values [t-0, x]");
  }

  private static String reference() {
    StringBuilder text =
        new StringBuilder(
            """
            # Metrics

            Everything a job exports beyond Flink's own, in the Flink group `tidekeeper`. Lags, ages and pauses are computed when
            they are read: they go on while a partition is paused, idle, left out of the watermark or back-pressured.

            - *total*: it only grows, and starts anew with its subtask, on the JobManager with the job. Flink's Prometheus reporter calls totals
              gauges, too, and appends no `_total`.
            - A point in time is in milliseconds since 1970; below -9e18 there is none yet.
            - Labels below come on top of Flink's, such as `job_name`, `operator_name` and `subtask_index`. Prometheus gets them
              as they are with `metrics.reporter.prom.filterLabelValueCharacters: false`; Flink replaces odd characters otherwise.
            - Flink's REST API has the same metrics, up to `metrics.fetcher.update-interval` (10 s) old.

            This page is generated from the code.
            """);
    for (MetricPlace place : MetricPlace.values()) {
      text.append("\n## %s\n\n%s\n".formatted(place.title(), place.description()));
      if (!place.labels().isEmpty()) {
        text.append("Labels: %s.\n".formatted(String.join(", ", quoted(place.labels()))));
      }
      text.append(
          """

          | metric | at Prometheus | unit | kind | meaning |
          |---|---|---|---|---|
          """);
      Arrays.stream(JobMetric.values())
          .filter(metric -> metric.place() == place)
          .forEach(metric -> text.append(row(metric)));
    }
    return text.toString();
  }

  private static String row(JobMetric metric) {
    return "| `%s` | `%s` | %s | %s | %s |\n"
        .formatted(
            metric.metricName(),
            metric.prometheusName(),
            metric.unit().symbol(),
            metric.kind().name().toLowerCase(Locale.ROOT),
            metric.meaning().replace("|", "\\|"));
  }

  private static List<String> quoted(List<String> labels) {
    return labels.stream().map(label -> '`' + label + '`').toList();
  }
}
