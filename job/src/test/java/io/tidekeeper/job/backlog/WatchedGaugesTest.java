package io.tidekeeper.job.backlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.util.UserCodeClassLoader;
import org.junit.jupiter.api.Test;

class WatchedGaugesTest {

  private final WatchedGauges gauges = new WatchedGauges();
  private final Context context = new Context();
  private final SourceReaderContext watched = gauges.in(context);

  @Test
  void aGaugeIsFoundByThePathOfItsGroups() {
    AtomicLong value = new AtomicLong(5);
    MetricGroup partition =
        watched.metricGroup().addGroup("Reader").addGroup("topic", "t").addGroup("partition", "0");
    partition.gauge("offset", value::get);
    partition.gauge("name", () -> "five");
    value.set(6);
    assertThat(gauges.value(List.of("Reader", "topic", "t", "partition", "0", "offset")))
        .hasValue(6);
    assertThat(gauges.value(List.of("Reader", "topic", "t", "partition", "0", "name"))).isEmpty();
    assertThat(gauges.value(List.of("Reader", "topic", "t", "partition", "1", "offset"))).isEmpty();
  }

  @Test
  void everythingElseIsFlinksOwn() {
    assertThat(watched.getIndexOfSubtask()).isEqualTo(7);
    assertThat(watched.metricGroup().getIOMetricGroup())
        .hasSameClassAs(context.group.getIOMetricGroup());
    assertThat(watched.metricGroup()).isEqualTo(watched.metricGroup());
    assertThat(watched.metricGroup()).isNotEqualTo(context.group);
    assertThatThrownBy(watched::sendSplitRequest)
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessage("no splits");
  }

  private static final class Context implements SourceReaderContext {
    private final SourceReaderMetricGroup group =
        UnregisteredMetricsGroup.createSourceReaderMetricGroup();

    @Override
    public SourceReaderMetricGroup metricGroup() {
      return group;
    }

    @Override
    public Configuration getConfiguration() {
      return new Configuration();
    }

    @Override
    public String getLocalHostName() {
      return "here";
    }

    @Override
    public int getIndexOfSubtask() {
      return 7;
    }

    @Override
    public void sendSplitRequest() {
      throw new UnsupportedOperationException("no splits");
    }

    @Override
    public void sendSourceEventToCoordinator(SourceEvent sourceEvent) {}

    @Override
    public UserCodeClassLoader getUserCodeClassLoader() {
      throw new UnsupportedOperationException("no classes");
    }
  }
}
