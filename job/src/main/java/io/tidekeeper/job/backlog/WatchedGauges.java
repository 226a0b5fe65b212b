package io.tidekeeper.job.backlog;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.jspecify.annotations.Nullable;

/**
 * Notes the gauges that a reader registers, so that they can be asked for where they are: in its
 * task, at no cost for records. Everything is passed on to Flink's own metric groups; proxies do so
 * for methods of later versions, too.
 */
final class WatchedGauges {

  private final Map<List<String>, Gauge<?>> gauges = new ConcurrentHashMap<>();

  /** A context whose metric group is watched. */
  SourceReaderContext in(SourceReaderContext context) {
    SourceReaderMetricGroup group =
        watched(SourceReaderMetricGroup.class, context.metricGroup(), List.of());
    return proxy(
        SourceReaderContext.class,
        context,
        (proxy, method, args) ->
            method.getName().equals("metricGroup") ? group : pass(context, method, args));
  }

  /**
   * The number that a gauge shows.
   *
   * @param path the names of its groups, keys and values alike, then its own
   * @return empty while there is no such gauge, or it shows no number
   */
  OptionalLong value(List<String> path) {
    Gauge<?> gauge = gauges.get(path);
    return gauge != null && gauge.getValue() instanceof Number number
        ? OptionalLong.of(number.longValue())
        : OptionalLong.empty();
  }

  private <G extends MetricGroup> G watched(Class<G> type, MetricGroup group, List<String> path) {
    return proxy(
        type,
        group,
        (proxy, method, args) -> {
          Object result = pass(group, method, args);
          if (args != null && result instanceof MetricGroup inner && isAddGroup(method)) {
            return watched(MetricGroup.class, inner, inside(path, args, args.length));
          }
          if (args != null && args.length == 2 && args[1] instanceof Gauge<?> gauge) {
            gauges.put(inside(path, args, 1), gauge);
          }
          return result;
        });
  }

  private static boolean isAddGroup(Method method) {
    return method.getName().equals("addGroup");
  }

  private static List<String> inside(List<String> path, Object[] names, int count) {
    List<String> longer = new ArrayList<>(path);
    for (int i = 0; i < count; i++) {
      longer.add(String.valueOf(names[i]));
    }
    return List.copyOf(longer);
  }

  private static <I> I proxy(Class<I> type, Object target, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, args) -> {
              if (method.getDeclaringClass() == Object.class) {
                return method.getName().equals("equals")
                    ? proxy == args[0]
                    : pass(target, method, args);
              }
              return handler.invoke(proxy, method, args);
            }));
  }

  private static @Nullable Object pass(Object target, Method method, @Nullable Object[] args)
      throws Throwable {
    try {
      return method.invoke(target, args);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }
}
