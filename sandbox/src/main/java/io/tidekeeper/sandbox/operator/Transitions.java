package io.tidekeeper.sandbox.operator;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The status before and after, in the order in which operator 1.15.0 writes it. */
final class Transitions {
  private Transitions() {}

  /** Seen for the first time; the mode recorded is stateless, whatever is asked for. */
  static DeploymentStatus first(Deployment deployment, Instant now) {
    DeploymentSpec suspended =
        deployment.wanted().with(DeploymentSpec.SUSPENDED, DeploymentSpec.STATELESS);
    return deployment
        .status()
        .edit()
        .observedGeneration(deployment.generation())
        .reconciled(DeploymentStatus.UPGRADING, new RecordedSpec(suspended, true), now)
        .jobManager(DeploymentStatus.MISSING)
        .taskManagers(deployment.name(), 0)
        .upgradeSavepoint(deployment.wanted().initialSavepointPath())
        .error(null)
        .done();
  }

  static DeploymentStatus errorCleared(DeploymentStatus status) {
    return status.edit().error(null).done();
  }

  static DeploymentStatus errorSet(DeploymentStatus status, String error) {
    return status.edit().error(error).done();
  }

  /** A change that needs no new job. */
  static DeploymentStatus specTaken(Deployment deployment, Instant now) {
    DeploymentStatus status = deployment.status();
    RecordedSpec last = status.lastReconciled();
    boolean wasStable = String.valueOf(status.lastReconciledText()).equals(status.lastStableText());
    DeploymentSpec spec = deployment.wanted().with(last.spec().state(), last.spec().upgradeMode());
    StatusEdit edit = status.edit().observedGeneration(deployment.generation());
    if (!spec.equals(last.spec())) {
      edit.reconciled(
          DeploymentStatus.DEPLOYED, new RecordedSpec(spec, last.firstDeployment()), now);
      if (wasStable) {
        edit.stable();
      }
    }
    return edit.done();
  }

  /**
   * The old job is no more; the wanted spec is noted. For an upgrade it waits to be deployed; where
   * the owner wants none to run, that is the end of it.
   */
  static DeploymentStatus stopped(
      Deployment deployment, String upgradeMode, @Nullable String restore, Instant now) {
    boolean ends = deployment.wanted().isSuspended();
    DeploymentStatus status = deployment.status();
    boolean first = status.isUpgrading() && status.lastReconciled().firstDeployment();
    RecordedSpec next =
        new RecordedSpec(deployment.wanted().with(DeploymentSpec.SUSPENDED, upgradeMode), first);
    StatusEdit edit =
        status
            .edit()
            .observedGeneration(deployment.generation())
            .reconciled(ends ? DeploymentStatus.DEPLOYED : DeploymentStatus.UPGRADING, next, now)
            .upgradeSavepoint(restore)
            .error(null);
    if (status.jobState() != null) {
      edit.jobState(JobLook.FINISHED, now).condition(now);
    }
    if (ends) {
      edit.stable();
    }
    return edit.done();
  }

  static DeploymentStatus jobManagerGone(DeploymentStatus status) {
    return status.edit().jobManager(DeploymentStatus.MISSING).done();
  }

  static DeploymentStatus jobIdGiven(DeploymentStatus status, String jobId) {
    return status.edit().jobId(jobId).done();
  }

  static DeploymentStatus deployed(Deployment deployment, DeploymentStatus status, Instant now) {
    RecordedSpec running = status.lastReconciled().withState(DeploymentSpec.RUNNING);
    return status
        .edit()
        .reconciled(DeploymentStatus.DEPLOYED, running, now)
        .jobManager(DeploymentStatus.DEPLOYING)
        .jobState(DeploymentStatus.RECONCILING, now)
        .taskManagers(deployment.name(), 1)
        .condition(now)
        .done();
  }

  static DeploymentStatus notReady(DeploymentStatus status) {
    return status.edit().jobManager(DeploymentStatus.DEPLOYED_NOT_READY).done();
  }

  /** The job's state was asked for; the condition follows in a write of its own. */
  static DeploymentStatus observed(DeploymentStatus status, JobLook job, Instant now) {
    StatusEdit edit =
        status
            .edit()
            .jobManager(DeploymentStatus.READY)
            .jobState(job.state(), now)
            .startTime(job.startTime());
    if (job.is(JobLook.RUNNING)) {
      // Only now is an error of the start taken back, however long the job waits for slots.
      edit.error(null).stable();
    }
    return edit.done();
  }

  /** The job was asked for and has failed for good. */
  static DeploymentStatus failed(DeploymentStatus status, JobLook job, String error, Instant now) {
    StatusEdit edit =
        status
            .edit()
            .jobManager(DeploymentStatus.READY)
            .jobState(JobLook.FAILED, now)
            .startTime(job.startTime())
            .error(error);
    if (job.restorePoint() != null) {
      edit.upgradeSavepoint(job.restorePoint());
    }
    return edit.done();
  }

  /** Flink does not know the job any more: its job manager is on the way up again. */
  static DeploymentStatus lost(DeploymentStatus status, Instant now) {
    return status
        .edit()
        .jobManager(DeploymentStatus.DEPLOYING)
        .jobState(DeploymentStatus.RECONCILING, now)
        .condition(now)
        .done();
  }

  static DeploymentStatus conditionFollowed(DeploymentStatus status, Instant now) {
    return status.edit().condition(now).done();
  }
}
