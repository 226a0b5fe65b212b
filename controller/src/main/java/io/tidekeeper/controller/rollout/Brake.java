package io.tidekeeper.controller.rollout;

/** Somebody wants nothing to be written; each says where it stands and so how it is released. */
public enum Brake {
  /** In the spec of the policy. */
  POLICY_SPEC("spec.rollout.paused of the policy is true"),
  /** On the policy. */
  POLICY_ANNOTATION("the policy carries the annotation " + Annotations.PAUSED),
  /** On the target. */
  TARGET_ANNOTATION("the FlinkDeployment carries the annotation " + Annotations.PAUSED),
  /** On the namespace. */
  NAMESPACE_ANNOTATION("the namespace carries the annotation " + Annotations.PAUSED),
  /** At the controller. */
  CONTROLLER_FLAG("the controller runs with --paused");

  private final String place;

  Brake(String place) {
    this.place = place;
  }

  /** Where it stands, as part of a sentence. */
  public String place() {
    return place;
  }
}
