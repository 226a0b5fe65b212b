package io.tidekeeper.controller.app;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.tidekeeper.controller.reconcile.Telemetry;
import io.tidekeeper.controller.rollout.Reason;
import io.tidekeeper.controller.rollout.RolloutState;
import io.tidekeeper.controller.rollout.TargetRecord;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The controller's numbers; the reasons are those of conditions and Events. */
final class MicrometerTelemetry implements Telemetry {

  private final MeterRegistry registry;
  private final Map<String, List<TargetRecord>> records = new ConcurrentHashMap<>();

  MicrometerTelemetry(MeterRegistry registry) {
    this.registry = registry;
    Gauge.builder("tidekeeper.policies", records, Map::size)
        .description("Policies that are looked after")
        .register(registry);
    states()
        .forEach(
            state ->
                Gauge.builder("tidekeeper.targets", this, self -> self.targetsIn(state))
                    .description("Targets by the state of their rollout")
                    .tags("state", state)
                    .register(registry));
    for (Reason reason : Reason.values()) {
      Gauge.builder("tidekeeper.targets.by.reason", this, self -> self.targetsBecauseOf(reason))
          .description("Targets by the reason why they stand where they stand")
          .tags("reason", reason.name())
          .register(registry);
    }
  }

  /** The name of every rollout state. */
  static Stream<String> states() {
    return leaves(RolloutState.class).map(Class::getSimpleName).distinct().sorted();
  }

  private static Stream<Class<?>> leaves(Class<?> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses()).flatMap(MicrometerTelemetry::leaves)
        : Stream.of(type);
  }

  @Override
  public void targets(String policy, List<TargetRecord> current) {
    if (current.isEmpty()) {
      records.remove(policy);
    } else {
      records.put(policy, current);
    }
  }

  @Override
  public void told(Reason reason) {
    count("tidekeeper.events", "reason", reason.name());
  }

  @Override
  public void wrote(String result) {
    count("tidekeeper.target.writes", "result", result);
  }

  @Override
  public void asked(boolean answered) {
    count("tidekeeper.job.readings", "result", answered ? "answered" : "unanswered");
  }

  @Override
  public void failed() {
    registry.counter("tidekeeper.failed.passes").increment();
  }

  private void count(String name, String key, String value) {
    registry.counter(name, Tags.of(key, value)).increment();
  }

  private long targetsIn(String state) {
    return all().filter(record -> record.state().name().equals(state)).count();
  }

  private long targetsBecauseOf(Reason reason) {
    return all().filter(record -> record.notice().reason() == reason).count();
  }

  private Stream<TargetRecord> all() {
    return records.values().stream().flatMap(List::stream);
  }
}
