package io.tidekeeper.sandbox.operator;

/**
 * What the operator says by an event.
 *
 * @param component the part of the operator that speaks
 */
record News(boolean isWarning, String reason, String component, String message) {
  private static final String JOB_MANAGER = "JobManagerDeployment";
  private static final String JOB = "Job";
  private static final String OPERATOR = "Operator";

  static News specChanged(SpecDiff diff) {
    return new News(false, "SpecChanged", JOB_MANAGER, diff.message());
  }

  static News suspended() {
    return new News(false, "Suspended", JOB_MANAGER, "Suspending existing deployment.");
  }

  static News submit() {
    return new News(false, "Submit", JOB_MANAGER, "Starting deployment");
  }

  static News savepointError(Jobs.SavepointFailedException failure) {
    return new News(true, "SavepointError", JOB_MANAGER, ErrorText.chain(failure));
  }

  static News jobStatusChanged(String before, String after) {
    return new News(
        false,
        "JobStatusChanged",
        JOB,
        "Job status changed from %s to %s".formatted(before, after));
  }

  static News error(String message) {
    return new News(true, "Error", JOB, message);
  }

  static News jobException(String stackTrace) {
    return new News(true, "JobException", JOB, stackTrace);
  }

  static News validationError(String problem) {
    return new News(true, "ValidationError", OPERATOR, problem);
  }

  static News cleanup() {
    return new News(false, "Cleanup", OPERATOR, "Cleaning up FlinkDeployment");
  }
}
