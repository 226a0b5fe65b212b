package io.tidekeeper.controller.rollout;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the users' page says about states and reasons beyond what the code itself says. */
final class RolloutReference {

  /** By name, in the order of a rollout. */
  static final Map<String, StateText> STATES = states();

  private RolloutReference() {}

  /**
   * What is told about a state.
   *
   * @param sees what the controller sees
   * @param does what it does
   * @param deadline how the deadline is made up, or empty for none; one place for its value
   * @param reasons what a user reads; empty where every gate may be read
   * @param held what is read while it may not go on
   */
  record StateText(
      String sees, String does, String deadline, List<Reason> reasons, List<Reason> held) {
    StateText(String sees, String does, String deadline, List<Reason> reasons) {
      this(sees, does, deadline, reasons, List.of());
    }
  }

  /** The tables of reasons. */
  enum Group {
    /** Nothing is under way. */
    GATES("what opens it"),
    /** A change is under way. */
    PROGRESS("what comes next"),
    /** A change was taken back or given up. */
    CAUSES("what was looked at, and what follows"),
    /** Nothing goes on without a person. */
    STALLED("what to do"),
    /** All is well. */
    FINE("where you read it");

    private final String title;

    Group(String title) {
      this.title = title;
    }

    String title() {
      return title;
    }
  }

  /**
   * What is told about a reason.
   *
   * @param group the table it belongs to
   * @param text its cell there
   */
  record ReasonText(Group group, String text) {}

  private static Map<String, StateText> states() {
    Map<String, StateText> states = new LinkedHashMap<>();
    states.put(
        "Waiting",
        new StateText(
            "A change, and a gate that is closed; or no target.",
            "Writes nothing. Looks again when something changes, at least once a minute.",
            "",
            List.of()));
    states.put(
        "Preparing",
        new StateText(
            "A change, and every gate open.",
            "Has recorded the change, its revision and the options to go back to. Applies the"
                + " options. If something came between, nothing is written and the change waits.",
            "%s, then it starts anew",
            List.of(Reason.Preparing)));
    states.put(
        "Saving",
        new StateText(
            "The options are on the FlinkDeployment; the operator's last reconciled spec has the"
                + " former ones, or there is none yet.",
            "Watches. Where no job has been deployed yet there is nothing to save, and it waits for"
                + " the operator without a deadline. Set the policy back now, and the change is withdrawn.",
            "`savepointTimeout`: %s, then it is withdrawn",
            List.of(Reason.SavepointPending, Reason.SavepointFailing),
            List.of(Reason.Suspended, Reason.OperatorPending)));
    states.put(
        "Upgrading",
        new StateText(
            "The operator's last reconciled spec has the new options.",
            "Waits until the operator is done and every source runs on the new revision. A failed"
                + " job is rolled back at once, an error that lasts 1m30s too.",
            "`healthDeadline`: %s, then it is rolled back",
            List.of(Reason.Upgrading),
            List.of(Reason.Suspended)));
    states.put(
        "Verifying",
        new StateText(
            "Every source runs on the new revision.",
            "Watches the job's numbers; see [health](#health).",
            "`healthyFor` + `healthDeadline` + two checkpoint intervals: %s + two intervals, then it"
                + " is rolled back",
            List.of(Reason.Verifying),
            List.of(Reason.Suspended)));
    states.put(
        "InSync",
        new StateText(
            "The target has the settings asked for, and they were proven.",
            "Nothing. Options that others take away or change are a new change.",
            "",
            List.of(Reason.Applied)));
    states.put(
        "Withdrawing",
        new StateText(
            "The change failed, or the policy was set back, before the operator took it over.",
            "Applies the former options byte for byte, the former revision included. Done when the"
                + " operator has them, is done and reports no error, over 5s. If the savepoint went"
                + " through after all, it becomes a rollback.",
            "`savepointTimeout`, at least 3m: %s, then it stalls",
            List.of(Reason.Withdrawing),
            List.of(Reason.Paused, Reason.FieldConflict, Reason.Suspended)));
    states.put(
        "RollingBack",
        new StateText(
            "The change failed after the operator took it over; or a person took it back.",
            "Applies the former settings under a new revision. Done when every source runs on that"
                + " revision, over 5s.",
            "`savepointTimeout` + `healthDeadline`: %s, then it stalls",
            List.of(Reason.RollingBack, Reason.RejectedByHand),
            List.of(Reason.Paused, Reason.FieldConflict, Reason.Suspended)));
    states.put(
        "Rejected",
        new StateText(
            "The policy still asks for a change that was taken back.",
            "Nothing, until the policy changes or a retry is asked for.",
            "",
            List.of(Reason.ChangeRejected)));
    states.put(
        "Stalled",
        new StateText(
            "The change failed, and going back is switched off, not possible, or did not end in"
                + " time.",
            "Nothing by itself. Goes on when the target becomes healthy on the settings asked for,"
                + " or with another change.",
            "",
            List.of(
                Reason.AutoRollbackOff,
                Reason.PreviousUnknown,
                Reason.WithdrawalTimedOut,
                Reason.RollbackTimedOut)));
    return states;
  }

  /** The compiler asks for a text with every new reason. */
  static ReasonText of(Reason reason) {
    return switch (reason) {
      case Applied -> fine("In every condition of a target that is in sync.");
      case Accepted -> fine("In the condition Accepted.");
      case NotPaused -> fine("In the condition Paused, which is False.");

      case Pending -> gate("The next look, within moments.");
      case SpecNotAccepted -> gate("Correct the fields that the message names.");
      case Conflicted ->
          gate("Take the target out of one of the two policies. The message names the holder.");
      case PolicyDeleting -> gate("Nothing: the policy goes, the options stay.");
      case TargetNotFound ->
          gate("Create the FlinkDeployment, or correct the name in `targetRefs`.");
      case TargetDeleting -> gate("The end of the deletion; then the target is not found.");
      case Paused -> gate("Release every [brake](#brakes) that the message names.");
      case DryRun -> gate("`spec.rollout.mode: Auto`.");
      case ChangeRejected ->
          stalled("Other values in the policy, or the annotation [retry](#a-rejected-change).");
      case Cooldown ->
          gate("Time: the message says until when. Or a shorter `spec.rollout.cooldown`.");
      case FieldConflict ->
          gate(
              "Remove the options where they come from; the message names them and their owners. Thresholds stand in the policy only.");
      case OverlappingKeys ->
          gate("Remove the keys that the message names from `spec.flinkConfiguration`.");
      case BlueGreenChild -> gate("Nothing: blue-green deployments are not supported.");
      case NotApplicationMode -> gate("A FlinkDeployment with `spec.job`.");
      case UpgradeModeNotSavepoint ->
          gate("`spec.job.upgradeMode: savepoint` on the FlinkDeployment.");
      case Suspended -> gate("`spec.job.state: running` on the FlinkDeployment.");
      case OperatorTooOld -> gate("Flink Kubernetes Operator 1.12 or newer.");
      case OperatorError ->
          gate("Repair what the operator complains about; the message has its words.");
      case TargetBusy -> gate("The operator is done: STABLE, and on the newest generation.");
      case JobNotRunning -> gate("The job is RUNNING and its JobManager READY.");
      case JobUnreachable ->
          gate(
              "Let the controller reach the job's REST port. The message has the address and the error.");
      case NotTidekeeper ->
          gate("Build the job with the Tidekeeper library, or use the bundled job.");
      case JobTooOld -> gate("A newer Tidekeeper library in the job.");
      case TransactionTimeoutTooShort ->
          gate(
              "Of the bundled job: `tidekeeper.kafka.transaction-timeout` on the FlinkDeployment at least as long as `savepointTimeout` and `healthDeadline` together. The message has the three numbers.");

      case ControllerFailed ->
          progress(
              "It tries again. Read in the condition Ready, whose status is Unknown then; the message and the log have the error.");
      case Preparing -> progress("The options are written.");
      case OperatorPending ->
          progress(
              "The operator deploys the job for the first time, on the policy. Needs an operator that runs; the message has its error, if there is one.");
      case SavepointPending -> progress("The operator stops the job and takes the change over.");
      case SavepointFailing ->
          progress(
              "The operator tries again. After `savepointTimeout` the change is withdrawn. The message has the operator's words.");
      case Upgrading ->
          progress(
              "The job runs with every source on the new revision. The message says what is missing.");
      case Verifying -> progress("The numbers prove the change. The message says what is missing.");
      case Withdrawing ->
          progress("The former options hold. The message says why the change is taken back.");
      case RollingBack ->
          progress(
              "The job runs on the former settings. The message says why the change is taken back.");

      case SavepointTimedOut ->
          cause(
              "The operator had not taken the change over after `savepointTimeout`. Withdrawn, rejected.");
      case SpecReverted ->
          cause("The policy asked for the former settings again. Withdrawn; not rejected.");
      case JobFailed -> cause("Lifecycle or job state FAILED. Rolled back, rejected.");
      case JobManagerFailed ->
          cause(
              "JobManager ERROR for 1m30s without a break. Rolled back, rejected. An operator's error that lasts as long is read as `OperatorError`.");
      case OperatorRolledBack -> cause("The operator's own rollback. Rolled back, rejected.");
      case HealthTimedOut ->
          cause("The message says what was missing at the deadline. Rolled back, rejected.");
      case JobRestarted ->
          cause("The job's restarts since its first healthy reading. Rolled back, rejected.");
      case LateShareExceeded ->
          cause(
              "Late records since the first healthy reading, against `abortWhen.lateShareAbove` and against the share before. The message has the numbers. Rolled back, rejected.");
      case RejectedByHand -> cause("The annotation `tidekeeper.io/reject`. Rolled back, rejected.");
      case KeysTaken ->
          cause(
              "The options on the target are not those that were written. Given up, not rejected; the policy's settings are a new change. The message names who owns the options now.");
      case TargetReplaced ->
          cause("Another object has the target's name. Given up; the new one is treated as new.");

      case AutoRollbackOff ->
          stalled(
              "Annotate the policy with `tidekeeper.io/reject` and the change's id, or change the policy.");
      case PreviousUnknown -> stalled("Change the policy to values that work.");
      case WithdrawalTimedOut ->
          stalled(
              "Look at the FlinkDeployment: the message says what is missing. It goes on by itself when the target is healthy; values that work help too.");
      case RollbackTimedOut -> stalled("The same.");
    };
  }

  private static ReasonText fine(String text) {
    return new ReasonText(Group.FINE, text);
  }

  private static ReasonText gate(String text) {
    return new ReasonText(Group.GATES, text);
  }

  private static ReasonText progress(String text) {
    return new ReasonText(Group.PROGRESS, text);
  }

  private static ReasonText cause(String text) {
    return new ReasonText(Group.CAUSES, text);
  }

  private static ReasonText stalled(String text) {
    return new ReasonText(Group.STALLED, text);
  }
}
