package io.tidekeeper.sandbox.operator;

import java.util.Optional;

/** One FlinkDeployment on the API server, by its name. */
interface Deployments {

  /** As it is now; empty when there is none. */
  Optional<Deployment> read();

  /** Replaces the status, whatever became of the spec meanwhile; nothing happens if it is gone. */
  void writeStatus(Deployment deployment, DeploymentStatus status);

  /** Adds the operator's finalizer. */
  void addFinalizer(Deployment deployment);

  /** Removes it, which lets a deleted one go. */
  void removeFinalizer(Deployment deployment);

  /** Tells the world; the same event again is counted up. */
  void tell(Deployment deployment, News news);
}
