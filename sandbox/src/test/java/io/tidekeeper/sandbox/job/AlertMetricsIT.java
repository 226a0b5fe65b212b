package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidekeeper.job.pipeline.TidekeeperJob;
import io.tidekeeper.sandbox.flink.JobRef;
import io.tidekeeper.sandbox.flink.JobSpec;
import io.tidekeeper.sandbox.flink.Sample;
import io.tidekeeper.sandbox.install.Shipped;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Alerts and runbooks ask for metrics that a running job has, by the labels that it has. */
@ExtendWith(Lab.PerClass.class)
class AlertMetricsIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Pattern METRIC = Pattern.compile("\\bflink_\\w+");
  private static final Pattern GROUPING = Pattern.compile("\\b(?:by|on) \\(([^)]*)\\)");

  /** Of Kubernetes: the scrape adds it. */
  private static final String NAMESPACE = "namespace";

  @Test
  void theShippedJobStartsWithoutAnyPolicyAndExportsWhatAlertsAndRunbooksName(Lab lab) {
    Map<String, String> options = new TreeMap<>(Shipped.subwayConfiguration());
    options
        .keySet()
        .removeIf(key -> !key.startsWith("tidekeeper.") && !key.startsWith("pipeline."));
    try (Stream stream = lab.stream(2)) {
      options.put("tidekeeper.kafka.bootstrap-servers", lab.broker.bootstrapServers());
      options.put("tidekeeper.kafka.input-topic", stream.input());
      options.put("tidekeeper.kafka.results-topic", stream.results());
      options.put("tidekeeper.kafka.dead-letter-topic", stream.deadLetters());
      JobRef job = lab.flink.submit(JobSpec.ofClass(TidekeeperJob.class, options, 2), null);
      stream.send(0, "S1", 1_000);
      stream.send(1, "S2", 1_000);
      Gauges gauges = new Gauges(lab.flink, job);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(gauges.splits("watermark").keySet())
                      .containsExactly(stream.split(0), stream.split(1)));

      // Those behind the source come when their own task is there.
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(samples(lab)).extracting(Sample::name).containsAll(namedMetrics()));
      List<Sample> samples = samples(lab);
      Set<String> byLabels = groupings();
      assertThat(byLabels).contains("job_name", "split", NAMESPACE);
      byLabels.remove(NAMESPACE);
      assertThat(samples)
          .filteredOn(sample -> sample.name().endsWith("_tidekeeper_split_watermark"))
          .hasSize(2)
          .allSatisfy(sample -> assertThat(sample.labels()).containsKeys(array(byLabels)));
      job.cancel();
    }
  }

  private static List<Sample> samples(Lab lab) {
    return lab.flink.samples().stream()
        .filter(sample -> "subway-traffic".equals(sample.labels().get("job_name")))
        .toList();
  }

  private static Set<String> namedMetrics() {
    Set<String> names = new TreeSet<>();
    Shipped.alerts().forEach(alert -> names.addAll(found(METRIC, alert.expression())));
    assertThat(names).isNotEmpty();
    Shipped.runbooks().forEach(file -> names.addAll(found(METRIC, Shipped.read(file))));
    return names;
  }

  private static Set<String> groupings() {
    return Shipped.alerts().stream()
        .flatMap(alert -> GROUPING.matcher(alert.expression()).results())
        .flatMap(match -> List.of(match.group(1).split(", *", -1)).stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(MatchResult::group).collect(Collectors.toSet());
  }

  private static String[] array(Set<String> values) {
    return values.toArray(String[]::new);
  }
}
