package io.tidekeeper.bench.job;

import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/**
 * Flink's own counters of what sources have emitted, read in this JVM. A scrape would write out
 * every metric of every partition each time, and so slow the job down that it measures.
 */
public final class SourceRecords implements MetricReporter {

  private static final Map<String, Set<Counter>> BY_JOB = new ConcurrentHashMap<>();

  /** The Flink options that switch it on, next to the reporter that the cluster has. */
  static Map<String, String> options() {
    return Map.of(
        "metrics.reporters",
        "prom,records",
        "metrics.reporter.records.factory.class",
        Factory.class.getName());
  }

  /** What the sources of a job have emitted so far; 0 before they start. */
  static long of(String jobId) {
    return BY_JOB.getOrDefault(jobId, Set.of()).stream().mapToLong(Counter::getCount).sum();
  }

  @Override
  public void open(MetricConfig config) {
    // nothing to set
  }

  @Override
  public void close() {
    BY_JOB.clear();
  }

  @Override
  public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
    Map<String, String> labels = group.getAllVariables();
    if (metric instanceof Counter counter
        && name.equals("numRecordsOut")
        && labels.getOrDefault("<operator_name>", "").startsWith("Source: ")) {
      BY_JOB
          .computeIfAbsent(
              labels.getOrDefault("<job_id>", ""), job -> ConcurrentHashMap.newKeySet())
          .add(counter);
    }
  }

  @Override
  public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {
    if (metric instanceof Counter counter) {
      BY_JOB.values().forEach(counters -> counters.remove(counter));
    }
  }

  /** Found by Flink on the class path. */
  public static final class Factory implements MetricReporterFactory {
    @Override
    public MetricReporter createMetricReporter(Properties properties) {
      return new SourceRecords();
    }
  }
}
