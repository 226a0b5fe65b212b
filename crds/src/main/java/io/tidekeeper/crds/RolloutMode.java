package io.tidekeeper.crds;

/** Whether a change is applied. */
public enum RolloutMode {
  /** A change is rolled out as soon as nothing stands in its way. */
  Auto,
  /** Nothing is written to any job; the status says what would be. */
  DryRun
}
