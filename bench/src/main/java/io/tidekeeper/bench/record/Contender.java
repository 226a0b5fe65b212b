package io.tidekeeper.bench.record;

import io.tidekeeper.policy.PolicyOptions;
import io.tidekeeper.policy.PolicySettings;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Whose watermarks the records meet. */
public enum Contender {
  /** Flink's own {@code forBoundedOutOfOrderness}. */
  FLINK,
  BOUNDED,
  SCHEDULE,
  THROUGHPUT,
  QUANTILE,
  ADAPTIVE;

  /**
   * The policy, with the idle timeout and the limit for future records that one has in service.
   *
   * @throws IllegalStateException for {@link #FLINK}, which has none
   */
  PolicySettings policy() {
    Map<String, String> options = new TreeMap<>();
    strategy().forEach((name, value) -> options.put("tidekeeper.default.watermark." + name, value));
    options.put("tidekeeper.default.watermark.idle-timeout", "1m");
    options.put("tidekeeper.default.watermark.max-future-skew", "5m");
    return Objects.requireNonNull(PolicyOptions.read(options));
  }

  private Map<String, String> strategy() {
    return switch (this) {
      case FLINK -> throw new IllegalStateException("Flink's own generator has no policy");
      case BOUNDED -> Map.of("type", "Bounded", "bounded.max-out-of-orderness", "5s");
      case SCHEDULE ->
          Map.of(
              "type",
              "Schedule",
              "schedule.time-zone",
              "Asia/Shanghai",
              "schedule.default",
              "5s",
              "schedule.windows",
              "Mon-Fri 07:00-09:30 30s; Mon-Fri 17:00-19:30 20s");
      case THROUGHPUT ->
          Map.of(
              "type",
              "Throughput",
              "throughput.window",
              "10s",
              "throughput.tiers",
              "0 5s; 100 30s; 5000 60s");
      case QUANTILE ->
          Map.of(
              "type",
              "Quantile",
              "quantile.level",
              "99%",
              "quantile.factor",
              "1.5",
              "quantile.min",
              "1s",
              "quantile.max",
              "60s",
              "quantile.window",
              "10m",
              "quantile.min-samples",
              "1000");
      case ADAPTIVE ->
          Map.of(
              "type",
              "Adaptive",
              "adaptive.late-share",
              "1%",
              "adaptive.min",
              "1s",
              "adaptive.max",
              "60s",
              "adaptive.initial",
              "30s");
    };
  }
}
