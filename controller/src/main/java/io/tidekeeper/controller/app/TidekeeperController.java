package io.tidekeeper.controller.app;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.RuntimeInfo;
import io.javaoperatorsdk.operator.api.config.ConfigurationServiceOverrider;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfiguration;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfigurationBuilder;
import io.javaoperatorsdk.operator.health.EventSourceHealthIndicator;
import io.javaoperatorsdk.operator.health.InformerHealthIndicator;
import io.javaoperatorsdk.operator.health.InformerWrappingEventSourceHealthIndicator;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tidekeeper.controller.app.ControllerSettings.Lease;
import io.tidekeeper.controller.reconcile.PolicyPass;
import io.tidekeeper.controller.reconcile.PolicyReconciler;
import java.time.Clock;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running controller. It is in the program, and can be in a test or a sandbox as well. */
public final class TidekeeperController implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TidekeeperController.class);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(15);

  /** Sixteen targets whose jobs and whose API server all answer at the last moment take less. */
  private static final Duration LONGEST_PASS = Duration.ofMinutes(15);

  private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(60);

  private final Operator operator;
  private final PolicyReconciler reconciler;
  private final Clock clock;
  private final HttpEndpoint http;
  private final PrometheusMeterRegistry registry;
  private volatile boolean closing;

  private TidekeeperController(
      ControllerSettings settings,
      KubernetesClient client,
      Clock clock,
      Runnable onLeadershipLost) {
    registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    MicrometerTelemetry telemetry = new MicrometerTelemetry(registry);
    Lease lease = settings.lease();
    String instance = lease == null ? "tidekeeper" : lease.identity();
    operator =
        new Operator(
            overrider -> {
              overrider
                  .withKubernetesClient(client)
                  .withCloseClientOnStop(false)
                  .withReconciliationTerminationTimeout(STOP_LIMIT);
              if (lease != null) {
                elect(overrider, lease, onLeadershipLost);
              }
            });
    this.clock = clock;
    reconciler =
        new PolicyReconciler(
            caches -> {
              LiveCluster cluster =
                  new LiveCluster(caches, client, settings.restAddress(), clock, instance);
              return new PolicyPass(cluster, cluster, telemetry, clock, settings.paused());
            },
            telemetry,
            clock);
    operator.register(
        reconciler,
        configuration -> {
          configuration
              .withOnUpdateFilter(PolicyReconciler::isNews)
              .withRetry(
                  new GenericRetry()
                      .setInitialInterval(FIRST_RETRY)
                      .setMaxInterval(LONGEST_RETRY.toMillis())
                      .withoutMaxAttempts());
          if (settings.namespaces().isEmpty()) {
            configuration.watchingAllNamespaces();
          } else {
            configuration.settingNamespaces(settings.namespaces());
          }
        });
    http = HttpEndpoint.start(settings.http(), this::isLive, this::isReady, registry::scrape);
  }

  /**
   * Starts a controller; its caches are filled when this returns.
   *
   * @param client acts for it; the caller closes it afterwards
   * @param clock tells the time
   * @param onLeadershipLost what to do when another replica may have taken over: end at once
   */
  public static TidekeeperController start(
      ControllerSettings settings,
      KubernetesClient client,
      Clock clock,
      Runnable onLeadershipLost) {
    TidekeeperController controller =
        new TidekeeperController(settings, client, clock, onLeadershipLost);
    try {
      controller.operator.start();
    } catch (RuntimeException e) {
      controller.close();
      throw e;
    }
    LOG.info(
        "Tidekeeper watches {}; jobs are asked at {}; health and metrics are on port {}{}",
        settings.namespaces().isEmpty() ? "all namespaces" : settings.namespaces(),
        settings.restAddress(),
        controller.httpPort(),
        settings.paused() ? "; the brake is on" : "");
    return controller;
  }

  /** The port of health and metrics. */
  public int httpPort() {
    return http.port();
  }

  /** Whether its caches follow the cluster. A replica that waits for the lease is ready too. */
  public boolean isReady() {
    RuntimeInfo info = operator.getRuntimeInfo();
    return !closing && info.isStarted() && info.allEventSourcesAreHealthy();
  }

  /**
   * Whether it is worth going on: no pass has been at work for longer than any can take, and no
   * watch has ended for good. A cluster that does not answer is no reason to start anew.
   */
  public boolean isLive() {
    if (closing || !operator.getRuntimeInfo().isStarted()) {
      return true;
    }
    return reconciler.longestPass(clock.instant()).compareTo(LONGEST_PASS) < 0
        && operator.getRuntimeInfo().unhealthyEventSources().values().stream()
            .flatMap(sources -> sources.values().stream())
            .allMatch(TidekeeperController::isRunning);
  }

  private static boolean isRunning(EventSourceHealthIndicator source) {
    return !(source instanceof InformerWrappingEventSourceHealthIndicator<?> informers)
        || informers.informerHealthIndicators().values().stream()
            .allMatch(InformerHealthIndicator::isRunning);
  }

  /** Ends the passes under way and stops. */
  @Override
  public void close() {
    closing = true;
    operator.stop();
    http.close();
    registry.close();
  }

  private void elect(
      ConfigurationServiceOverrider overrider, Lease lease, Runnable onLeadershipLost) {
    LeaderElectionConfiguration election =
        LeaderElectionConfigurationBuilder.aLeaderElectionConfiguration(lease.name())
            .withLeaseNamespace(lease.namespace())
            .withIdentity(lease.identity())
            .withLeaseDuration(lease.duration())
            .withRenewDeadline(lease.duration().multipliedBy(2).dividedBy(3))
            .withRetryPeriod(lease.duration().dividedBy(7))
            // The SDK's own way out would also end a program that stops in good order.
            .withExitOnStopLeading(false)
            .withLeaderCallbacks(
                new LeaderCallbacks(
                    () -> LOG.info("{} leads", lease.identity()),
                    () -> {
                      if (!closing) {
                        LOG.error("{} no longer leads", lease.identity());
                        onLeadershipLost.run();
                      }
                    },
                    leader -> LOG.info("the leader is {}", leader)))
            .build();
    overrider.withLeaderElectionConfiguration(election);
  }
}
