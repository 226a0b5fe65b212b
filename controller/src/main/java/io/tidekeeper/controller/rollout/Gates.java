package io.tidekeeper.controller.rollout;

import io.tidekeeper.controller.flink.FlinkDeployment;
import io.tidekeeper.controller.flink.JobManagerState;
import io.tidekeeper.controller.flink.JobState;
import io.tidekeeper.controller.flink.Lifecycle;
import io.tidekeeper.controller.flink.OperatorError;
import io.tidekeeper.controller.flink.OperatorView;
import io.tidekeeper.controller.flink.ReconciledSpec;
import io.tidekeeper.controller.flink.ReconciliationState;
import io.tidekeeper.controller.flink.UpgradeMode;
import io.tidekeeper.controller.rollout.TargetRecord.Ended;
import io.tidekeeper.controller.rollout.TargetRecord.Outcome;
import io.tidekeeper.crds.RolloutMode;
import io.tidekeeper.policy.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What holds a change back. Every gate says what opens it. A way back is held by far less than a
 * change that goes forward.
 */
final class Gates {

  private final Observation seen;
  private final FlinkDeployment target;
  private final Instant now;

  Gates(Observation seen, FlinkDeployment target, Instant now) {
    this.seen = seen;
    this.target = target;
    this.now = now;
  }

  /** The first gate that holds a new change; null when all are open. */
  @Nullable Notice start(OwnKeys wanted, boolean repair) {
    Notice write = write(wanted);
    ReconciledSpec reconciled = target.operator().reconciled();
    if (write != null || reconciled == null) {
      // A target that was never deployed takes the options along with its first deployment.
      return write;
    }
    if (!reconciled.fromCurrentOperator()) {
      return new Notice(
          Reason.OperatorTooOld,
          "The Flink operator is older than 1.12 and could not leave a failed start again. Upgrade"
              + " the operator; until then the target is not touched.");
    }
    Notice timeout = TransactionTimeout.tooShort(target, seen.policy().rollout());
    if (timeout != null) {
      return timeout;
    }
    if (repair) {
      // What stands now does not run, so there is nothing to wait for.
      return null;
    }
    Notice cooldown = cooldown();
    if (cooldown != null) {
      return cooldown;
    }
    Notice busy = operator();
    return busy != null ? busy : job(wanted.format());
  }

  /** The first gate that holds the write of a change that was begun; null when all are open. */
  @Nullable Notice write(OwnKeys wanted) {
    PolicyView policy = seen.policy();
    if (policy.leaving()) {
      return leaving();
    }
    if (target.deleting()) {
      return new Notice(Reason.TargetDeleting, "The FlinkDeployment is being deleted.");
    }
    Notice brake = brake();
    if (brake != null) {
      return brake;
    }
    if (policy.rollout().mode() == RolloutMode.DryRun) {
      return new Notice(
          Reason.DryRun,
          "A change waits and nothing is written in mode DryRun. Set spec.rollout.mode to Auto to"
              + " apply it.");
    }
    Notice shape = shape();
    if (shape != null) {
      return shape;
    }
    Notice overlap = FieldOwners.overlap(target, wanted);
    if (overlap != null) {
      return overlap;
    }
    Notice conflict = conflict(wanted);
    return conflict != null ? conflict : suspended();
  }

  /** What holds the write of a way back: brakes, other owners of our options, suspension. */
  @Nullable Notice wayBack(OwnKeys wanted) {
    Notice brake = brake();
    if (brake != null) {
      return brake;
    }
    Notice suspended = suspended();
    if (suspended != null) {
      return suspended;
    }
    return conflict(wanted);
  }

  /** Other owners, as we see them or as the server has told us of exactly this target. */
  private @Nullable Notice conflict(OwnKeys wanted) {
    Notice conflict = FieldOwners.conflict(target, wanted);
    if (conflict != null || seen.refusal() == null) {
      return conflict;
    }
    return new Notice(Reason.FieldConflict, seen.refusal());
  }

  /** The policy goes: nothing begins any more. */
  static Notice leaving() {
    return new Notice(
        Reason.PolicyDeleting,
        "The policy is being deleted or no longer names the target; nothing is written.");
  }

  /** The owner has stopped the job: nothing will move until it is started again. */
  @Nullable Notice suspended() {
    return target.suspended()
        ? new Notice(
            Reason.Suspended,
            "The FlinkDeployment is suspended by its owner (spec.job.state). Nothing moves until it"
                + " is set to running.")
        : null;
  }

  private @Nullable Notice brake() {
    Set<Brake> brakes = seen.policy().brakes();
    return brakes.isEmpty()
        ? null
        : new Notice(
            Reason.Paused,
            "Nothing is written: "
                + brakes.stream().map(Brake::place).collect(Collectors.joining(", and "))
                + ".");
  }

  private @Nullable Notice shape() {
    if (target.blueGreenParent() != null) {
      return new Notice(
          Reason.BlueGreenChild,
          "The FlinkDeployment belongs to FlinkBlueGreenDeployment "
              + target.blueGreenParent()
              + ", which replaces it. Blue-green deployments are not supported.");
    }
    if (!target.application()) {
      return new Notice(
          Reason.NotApplicationMode,
          "The FlinkDeployment has no spec.job: it is a session cluster. Policies need application"
              + " mode.");
    }
    if (target.upgradeMode() != UpgradeMode.SAVEPOINT) {
      return new Notice(
          Reason.UpgradeModeNotSavepoint,
          "spec.job.upgradeMode of the FlinkDeployment must be savepoint, so that no state is"
              + " lost.");
    }
    return null;
  }

  private @Nullable Notice cooldown() {
    List<Ended> history = seen.record().history();
    Instant finished = seen.record().lastFinished();
    Duration cooldown = seen.policy().rollout().cooldown();
    // The way out of a change that did not go through is not to be waited for.
    boolean wentThrough = !history.isEmpty() && history.get(0).outcome() == Outcome.Succeeded;
    if (!wentThrough || finished == null || !now.isBefore(finished.plus(cooldown))) {
      return null;
    }
    return new Notice(
        Reason.Cooldown,
        "The last change went through at %s; with a cooldown of %s the next may start at %s."
            .formatted(finished, Durations.format(cooldown), finished.plus(cooldown)));
  }

  private @Nullable Notice operator() {
    OperatorView operator = target.operator();
    OperatorError error = operator.error();
    if (error != null) {
      return new Notice(
          Reason.OperatorError,
          "The Flink operator reports an error of the FlinkDeployment, which must be gone first: "
              + error.type()
              + ": "
              + error.message());
    }
    if (operator.lifecycle() == Lifecycle.FAILED || operator.jobState() == JobState.FAILED) {
      return new Notice(
          Reason.JobNotRunning, "The job has failed. A change needs a running job to start from.");
    }
    if (!target.observed()
        || operator.lifecycle() != Lifecycle.STABLE
        || operator.reconciliation() != ReconciliationState.DEPLOYED) {
      return new Notice(
          Reason.TargetBusy,
          "The Flink operator %s. The change waits for it."
              .formatted(
                  target.observed()
                      ? "is not done with the FlinkDeployment (%s)".formatted(operator.lifecycle())
                      : "has not taken over the newest change of the FlinkDeployment yet"));
    }
    if (operator.jobState() != JobState.RUNNING || operator.jobManager() != JobManagerState.READY) {
      return new Notice(
          Reason.JobNotRunning,
          "The job is %s. A change now would be applied without a savepoint, so it waits for the job"
                  .formatted(operator.jobState())
              + " to run.");
    }
    return null;
  }

  private @Nullable Notice job(int neededFormat) {
    JobReading job = seen.job();
    if (job == null) {
      return new Notice(
          Reason.JobUnreachable,
          "The job's metrics cannot be read over Flink's REST%s. A change could not be proven, so it waits."
              .formatted(seen.unheard().isEmpty() ? "" : " (" + seen.unheard() + ")"));
    }
    if (job.subtasks().stream().allMatch(subtask -> subtask.revision() == null)) {
      return new Notice(
          Reason.NotTidekeeper,
          "No source of the job exports the gauge tidekeeper.revision: the job does not read"
              + " policies. Use the Tidekeeper library in it, or the bundled job.");
    }
    Integer format = job.policyFormat();
    if (format == null || format < neededFormat) {
      return new Notice(
          Reason.JobTooOld,
          "The job understands policy format %s, the policy needs %d. Upgrade the Tidekeeper library of the job."
              .formatted(format == null ? "0" : format, neededFormat));
    }
    return null;
  }
}
