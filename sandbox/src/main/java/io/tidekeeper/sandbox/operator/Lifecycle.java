package io.tidekeeper.sandbox.operator;

import org.jspecify.annotations.Nullable;

/**
 * The lifecycle state, which the operator derives from the rest of the status. That it is derived
 * is why it may say STABLE of a job that nobody has seen run: the spec is one that once ran.
 */
final class Lifecycle {
  private Lifecycle() {}

  static String of(DeploymentStatus status) {
    if (status.isEmpty()) {
      return status.error() == null ? "CREATED" : "FAILED";
    }
    if (status.isUpgrading()) {
      return DeploymentStatus.UPGRADING;
    }
    if (status.lastReconciled().spec().isSuspended()) {
      return "SUSPENDED";
    }
    if ("FAILED".equals(status.jobState())) {
      return "FAILED";
    }
    @Nullable String stable = status.lastStableText();
    return stable != null && stable.equals(status.lastReconciledText())
        ? "STABLE"
        : DeploymentStatus.DEPLOYED;
  }
}
