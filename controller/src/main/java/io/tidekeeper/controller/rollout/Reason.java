package io.tidekeeper.controller.rollout;

/** Why things are as they are: one list for conditions, Events and metrics. */
public enum Reason {
  /** The newest settings run. */
  Applied(Concern.NONE),
  /** The controller has not looked yet. */
  Pending(Concern.PROGRESS),

  /** The spec means a policy. */
  Accepted(Concern.NONE),
  /** No brake is on. */
  NotPaused(Concern.NONE),
  /** The spec means no policy. */
  SpecNotAccepted(Concern.PERSON),
  /** Another policy holds the target. */
  Conflicted(Concern.PERSON),
  /** The policy is being deleted. */
  PolicyDeleting(Concern.CHOICE),
  /** There is no such target. */
  TargetNotFound(Concern.PROGRESS),
  /** The target is being deleted. */
  TargetDeleting(Concern.PROGRESS),
  /** A brake is on. */
  Paused(Concern.CHOICE),
  /** The mode writes nothing. */
  DryRun(Concern.CHOICE),
  /** The change was taken back before. */
  ChangeRejected(Concern.PERSON),
  /** The last rollout is too recent. */
  Cooldown(Concern.CHOICE),
  /** Somebody else owns an option of ours. */
  FieldConflict(Concern.PERSON),
  /** An option is written as nested YAML, or a key overlaps one. */
  OverlappingKeys(Concern.PERSON),
  /** The target belongs to a blue-green deployment. */
  BlueGreenChild(Concern.PERSON),
  /** The target is a session cluster. */
  NotApplicationMode(Concern.PERSON),
  /** The target is not upgraded by savepoint. */
  UpgradeModeNotSavepoint(Concern.PERSON),
  /** The target is suspended by its owner. */
  Suspended(Concern.CHOICE),
  /** The operator cannot leave a failed start. */
  OperatorTooOld(Concern.PERSON),
  /** The operator reports an error of the target. */
  OperatorError(Concern.PROGRESS),
  /** The operator is still at work on the target. */
  TargetBusy(Concern.PROGRESS),
  /** The job does not run. */
  JobNotRunning(Concern.PROGRESS),
  /** The job's metrics cannot be read. */
  JobUnreachable(Concern.PROGRESS),
  /** The job does not read policies. */
  NotTidekeeper(Concern.PERSON),
  /** The job's library does not understand the policy. */
  JobTooOld(Concern.PERSON),
  /** Kafka could drop results while the change is under way. */
  TransactionTimeoutTooShort(Concern.PERSON),

  /** The controller itself failed. */
  ControllerFailed(Concern.PROGRESS),
  /** The change is about to be written. */
  Preparing(Concern.PROGRESS),
  /** The operator has not deployed the target yet. */
  OperatorPending(Concern.PROGRESS),
  /** The job is being stopped with a savepoint. */
  SavepointPending(Concern.PROGRESS),
  /** The savepoint fails and is tried again. */
  SavepointFailing(Concern.PROGRESS),
  /** The job starts on the new settings. */
  Upgrading(Concern.PROGRESS),
  /** The job must prove itself. */
  Verifying(Concern.PROGRESS),
  /** The change is taken back before it took effect. */
  Withdrawing(Concern.PERSON),
  /** The former settings are brought back. */
  RollingBack(Concern.PERSON),

  /** The savepoint did not succeed in time. */
  SavepointTimedOut(Concern.PERSON),
  /** The policy was set back before the change took effect. */
  SpecReverted(Concern.NONE),
  /** The job failed on the new settings. */
  JobFailed(Concern.PERSON),
  /** The JobManager could not start on the new settings. */
  JobManagerFailed(Concern.PERSON),
  /** The operator took the deployment back. */
  OperatorRolledBack(Concern.PERSON),
  /** The job was not healthy in time. */
  HealthTimedOut(Concern.PERSON),
  /** The job restarted while it was watched. */
  JobRestarted(Concern.PERSON),
  /** Too many records were late. */
  LateShareExceeded(Concern.PERSON),
  /** A person took the change back. */
  RejectedByHand(Concern.PERSON),
  /** Somebody changed our options while the change was under way. */
  KeysTaken(Concern.PERSON),
  /** The target was deleted or replaced while the change was under way. */
  TargetReplaced(Concern.PROGRESS),

  /** The change failed and must not be taken back without a person. */
  AutoRollbackOff(Concern.PERSON),
  /** The change failed and what was there before is not known. */
  PreviousUnknown(Concern.PERSON),
  /** Taking the change back did not end in time. */
  WithdrawalTimedOut(Concern.PERSON),
  /** Bringing the former settings back did not end in time. */
  RollbackTimedOut(Concern.PERSON);

  /** Whom it concerns. */
  public enum Concern {
    /** Nobody. */
    NONE,
    /** The controller or the operator is at work, or something is expected to appear. */
    PROGRESS,
    /** Somebody decided it so; nothing is wrong. */
    CHOICE,
    /** A person must do something. */
    PERSON
  }

  private final Concern concern;

  Reason(Concern concern) {
    this.concern = concern;
  }

  /** Whom it concerns. */
  public Concern concern() {
    return concern;
  }
}
