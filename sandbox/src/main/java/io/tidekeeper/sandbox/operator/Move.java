package io.tidekeeper.sandbox.operator;

/** The one thing to do next for a FlinkDeployment. Each can be done again after a crash in it. */
sealed interface Move {

  /** Nothing, until something changes. */
  record Idle() implements Move {}

  record AddFinalizer() implements Move {}

  /** It is being deleted: ends the job and lets it go. */
  record CleanUp() implements Move {}

  /** The spec cannot be run. */
  record Refuse(String problem) implements Move {}

  /** The first sight of it: notes the spec. */
  record RecordFirst() implements Move {}

  /** Says that the spec has changed, to no further effect while the job is suspended. */
  record Announce() implements Move {}

  /** Clears the error before another attempt. */
  record ClearError(boolean isRetry) implements Move {}

  /** Notes a change that needs no new job. */
  record TakeSpec() implements Move {}

  /** Stops the running job with a savepoint, and notes the spec that comes next. */
  record StopWithSavepoint() implements Move {}

  /** Ends the job without one, and notes the spec that comes next. */
  record Cancel(String upgradeMode) implements Move {}

  /**
   * Notes the spec that comes next; no job is there to be stopped.
   *
   * @param keepsSavepoint whether the savepoint in the status is the one to start from; else the
   *     newest state that the ended job has left
   */
  record Prepare(String upgradeMode, boolean keepsSavepoint) implements Move {}

  /** Removes what is left of the old job. */
  record DropJobManager() implements Move {}

  /** Gives the next job its id and sets it up. */
  record Deploy() implements Move {}

  /** Runs the job's {@code main}, as its job manager would. */
  record Start() implements Move {}

  /** Asks for the job's state for the first time. */
  record FirstLook() implements Move {}

  /** Asks for it again. */
  record Look() implements Move {}
}
