package io.tidekeeper.sandbox.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidekeeper.job.metric.JobMetric;
import io.tidekeeper.job.metric.MetricPlace;
import io.tidekeeper.sandbox.flink.JobRef;
import io.tidekeeper.sandbox.flink.Sample;
import io.tidekeeper.sandbox.subway.PolicyFileOnDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A running job exports what the catalogue has, under those names and labels, and nothing else. */
class MetricCatalogueIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String OURS = "_tidekeeper_";

  private static final Set<String> CATALOGUE =
      Arrays.stream(JobMetric.values()).map(JobMetric::prometheusName).collect(Collectors.toSet());

  private static final Set<String> OUR_LABELS =
      Arrays.stream(MetricPlace.values())
          .flatMap(place -> place.labels().stream())
          .collect(Collectors.toSet());

  @Test
  void theSubwayJobExportsTheCatalogue(@TempDir Path dir) {
    Map<String, String> options = new TreeMap<>(Stream.bounded("2s"));
    options.putAll(new PolicyFileOnDisk(dir.resolve("policy")).options());
    options.put("tidekeeper.default.alignment.group", "trips");
    options.put("tidekeeper.default.alignment.max-drift", "5s");
    options.put("tidekeeper.default.alignment.update-interval", "100ms");
    options.put("tidekeeper.default.alignment.on-exceeded", "AlertOnly");
    try (Lab lab = Lab.start(dir);
        Stream stream = lab.stream(2)) {
      JobRef job = lab.flink.submit(stream.job(options, 2), null);
      stream.send(0, "S1", 1_000);
      stream.send(1, "S2", 1_000);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(ours(lab, job)).extracting(Sample::name).containsAll(CATALOGUE));

      List<Sample> samples = ours(lab, job);
      assertThat(samples).extracting(Sample::name).isSubsetOf(CATALOGUE);
      for (JobMetric metric : JobMetric.values()) {
        assertThat(samples)
            .filteredOn(sample -> sample.name().equals(metric.prometheusName()))
            .isNotEmpty()
            .extracting(MetricCatalogueIT::ourLabels)
            .containsOnly(Set.copyOf(metric.place().labels()));
      }
      assertThat(samples)
          .filteredOn(sample -> sample.name().equals(JobMetric.WATERMARK.prometheusName()))
          .extracting(sample -> sample.labels().get("split"))
          .containsExactlyInAnyOrder(stream.split(0), stream.split(1));
      assertFiringDelay(lab, job, stream);
      job.cancel();
    }
  }

  /** Two windows fire; the subtasks that they belong to say how long after their end. */
  private static void assertFiringDelay(Lab lab, JobRef job, Stream stream) {
    double from = System.currentTimeMillis() - 10_000;
    stream.send(0, "S1", 13_000);
    stream.send(1, "S2", 13_000);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(stream.committedResults())
                    .containsExactlyInAnyOrder("S1@0=1", "S2@0=1"));
    assertThat(ours(lab, job))
        .filteredOn(sample -> sample.name().equals(JobMetric.FIRING_DELAY.prometheusName()))
        .extracting(Sample::value)
        .filteredOn(delay -> delay != -1)
        .isNotEmpty()
        .allSatisfy(
            delay -> assertThat(delay).isBetween(from, System.currentTimeMillis() - 10_000.0));
  }

  private static Set<String> ourLabels(Sample sample) {
    Set<String> labels = new TreeSet<>(sample.labels().keySet());
    labels.retainAll(OUR_LABELS);
    return labels;
  }

  private static List<Sample> ours(Lab lab, JobRef job) {
    return lab.flink.samples().stream()
        .filter(sample -> sample.name().contains(OURS))
        .filter(sample -> job.jobId().toString().equals(sample.labels().get("job_id")))
        .toList();
  }
}
