package io.tidekeeper.crds;

/** What a policy can be applied to. */
public enum TargetKind {
  /** A job in application mode, run by the Flink Kubernetes Operator. */
  FlinkDeployment
}
