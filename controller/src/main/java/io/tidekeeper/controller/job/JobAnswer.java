package io.tidekeeper.controller.job;

import io.tidekeeper.controller.rollout.JobReading;
import org.jspecify.annotations.Nullable;

/**
 * What came of asking a job.
 *
 * @param reading what it said, or null when it could not be asked
 * @param problem why it could not be asked, or empty
 */
public record JobAnswer(@Nullable JobReading reading, String problem) {

  /** Nobody wanted to know. */
  public static final JobAnswer NOT_ASKED = new JobAnswer(null, "");

  static JobAnswer of(JobReading reading) {
    return new JobAnswer(reading, "");
  }

  static JobAnswer failed(String problem) {
    return new JobAnswer(null, problem);
  }
}
