package io.tidekeeper.controller.app;

import io.tidekeeper.controller.job.RestAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a controller is to be like.
 *
 * @param namespaces the namespaces to watch; empty for all
 * @param restAddress where the jobs' REST APIs are
 * @param paused the brake: nothing is written to any target
 * @param http where health and metrics are served; port 0 takes a free one
 * @param lease the lease that replicas compete for, or null for a single replica
 */
public record ControllerSettings(
    Set<String> namespaces,
    RestAddress restAddress,
    boolean paused,
    InetSocketAddress http,
    @Nullable Lease lease) {

  /** Copies the namespaces. */
  public ControllerSettings {
    namespaces = Set.copyOf(namespaces);
  }

  /**
   * A lease that replicas compete for.
   *
   * @param name its name
   * @param namespace its namespace
   * @param identity the name of this replica
   * @param duration how long it holds without being renewed
   */
  public record Lease(String name, String namespace, String identity, Duration duration) {}
}
