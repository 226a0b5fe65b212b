package io.tidekeeper.crds;

/** What happens to the jobs when the policy is deleted. */
public enum OnDelete {
  /** Nothing is written: the jobs keep what they have. */
  Keep
}
