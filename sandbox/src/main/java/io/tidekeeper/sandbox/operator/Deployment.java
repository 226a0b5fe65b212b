package io.tidekeeper.sandbox.operator;

/**
 * A FlinkDeployment as the API server holds it.
 *
 * @param deleted whether it is marked for deletion
 * @param hasFinalizer whether the operator's finalizer keeps it
 */
record Deployment(
    String name,
    String uid,
    long generation,
    boolean deleted,
    boolean hasFinalizer,
    DeploymentSpec wanted,
    DeploymentStatus status) {

  /** Whether the spec is another than the one that was reconciled last. */
  boolean hasNews() {
    return status.isEmpty() || generation != status.observedGeneration();
  }
}
