package io.tidekeeper.bench.record;

import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.runtime.metrics.groups.InternalSourceReaderMetricGroup;
import org.apache.flink.util.SimpleUserCodeClassLoader;
import org.apache.flink.util.UserCodeClassLoader;

/** What a reader needs of its task where there is no task. */
record InMemoryContext(MetricGroup operatorGroup) implements SourceReaderContext {

  @Override
  public SourceReaderMetricGroup metricGroup() {
    return InternalSourceReaderMetricGroup.mock(operatorGroup);
  }

  @Override
  public Configuration getConfiguration() {
    return new Configuration();
  }

  @Override
  public String getLocalHostName() {
    return "localhost";
  }

  @Override
  public int getIndexOfSubtask() {
    return 0;
  }

  @Override
  public int currentParallelism() {
    return 1;
  }

  @Override
  public void sendSplitRequest() {
    // splits are given to the reader by hand
  }

  @Override
  public void sendSourceEventToCoordinator(SourceEvent event) {
    // nobody coordinates
  }

  @Override
  public UserCodeClassLoader getUserCodeClassLoader() {
    return SimpleUserCodeClassLoader.create(InMemoryContext.class.getClassLoader());
  }
}
