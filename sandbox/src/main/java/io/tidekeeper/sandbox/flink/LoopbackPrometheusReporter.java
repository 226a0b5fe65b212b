package io.tidekeeper.sandbox.flink;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.exporter.HTTPServer;
import io.tidekeeper.sandbox.LocalPorts;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.prometheus.AbstractPrometheusReporter;
import org.apache.flink.metrics.prometheus.PrometheusPushGatewayReporterFactory;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;
import org.jspecify.annotations.Nullable;

/**
 * Flink's own Prometheus reporter, listening on 127.0.0.1 where Flink's server listens on every
 * address of the machine. Names, labels and values are Flink's: only the HTTP server differs.
 *
 * <p>Options, next to those of Flink's reporter: {@code port} (0: any free one) and {@code ticket},
 * under which {@link #address} gives the address listened on.
 */
public final class LoopbackPrometheusReporter implements MetricReporter {
  private static final Map<String, InetSocketAddress> ADDRESSES = new ConcurrentHashMap<>();
  private static final Map<String, String> FAILURES = new ConcurrentHashMap<>();

  private final AbstractPrometheusReporter delegate;
  private final HTTPServer server;
  private final String ticket;

  private LoopbackPrometheusReporter(
      AbstractPrometheusReporter delegate, HTTPServer server, String ticket) {
    this.delegate = delegate;
    this.server = server;
    this.ticket = ticket;
  }

  /**
   * Where the reporter with this ticket listens.
   *
   * @throws IllegalStateException when it does not, with the reason
   */
  static InetSocketAddress address(String ticket) {
    InetSocketAddress address = ADDRESSES.get(ticket);
    if (address == null) {
      throw new IllegalStateException(
          "the Prometheus reporter does not listen: "
              + FAILURES.getOrDefault(ticket, "Flink did not start it"));
    }
    return address;
  }

  @Override
  public void open(MetricConfig config) {
    delegate.open(config);
  }

  @Override
  public void close() {
    ADDRESSES.remove(ticket);
    server.stop();
    delegate.close();
  }

  @Override
  public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
    delegate.notifyOfAddedMetric(metric, name, group);
  }

  @Override
  public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {
    delegate.notifyOfRemovedMetric(metric, name, group);
  }

  /** Creates the reporter; found by Flink as a service. */
  public static final class Factory implements MetricReporterFactory {

    @Override
    public MetricReporter createMetricReporter(Properties properties) {
      String ticket = properties.getProperty("ticket", "");
      int port = Integer.parseInt(properties.getProperty("port", "0"));
      // Of Flink's two reporters only this one opens no server of its own; it is never told to
      // push.
      MetricConfig config = new MetricConfig();
      config.setProperty("hostUrl", "http://127.0.0.1:9");
      config.setProperty("deleteOnShutdown", "false");
      AbstractPrometheusReporter delegate =
          new PrometheusPushGatewayReporterFactory().createMetricReporter(config);
      try {
        HTTPServer server =
            new HTTPServer(
                new InetSocketAddress(LocalPorts.loopback(), port), registry(delegate), true);
        ADDRESSES.put(ticket, new InetSocketAddress(LocalPorts.loopback(), server.getPort()));
        return new LoopbackPrometheusReporter(delegate, server, ticket);
      } catch (IOException e) {
        FAILURES.put(ticket, "port %d on 127.0.0.1: %s".formatted(port, e.getMessage()));
        throw new IllegalStateException("the Prometheus reporter cannot listen", e);
      }
    }

    private static CollectorRegistry registry(AbstractPrometheusReporter reporter) {
      @Nullable Object registry;
      try {
        Field field = AbstractPrometheusReporter.class.getDeclaredField("registry");
        field.setAccessible(true);
        registry = field.get(reporter);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(
            "this Flink version keeps its Prometheus registry elsewhere", e);
      }
      if (registry instanceof CollectorRegistry found) {
        return found;
      }
      throw new IllegalStateException("this Flink version's Prometheus registry is " + registry);
    }
  }
}
