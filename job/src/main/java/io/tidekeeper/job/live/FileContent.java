package io.tidekeeper.job.live;

import io.tidekeeper.policy.PolicySettings;

/** What one look at the policy file found. */
public sealed interface FileContent {

  /** There is no file. */
  record Absent() implements FileContent {}

  /**
   * There is a file that holds no policy.
   *
   * @param message everything that is wrong with it
   */
  record Broken(String message) implements FileContent {}

  /**
   * A whole policy.
   *
   * @param policy what it says, with the revision it must bring
   */
  record Policy(PolicySettings policy) implements FileContent {}
}
