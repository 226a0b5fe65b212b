package io.tidekeeper.sandbox.operator;

import java.util.Optional;

/** What to do next, from what is known; reads no clock and does nothing. */
final class Decision {

  private Decision() {}

  /**
   * The next move.
   *
   * @param job what Flink says of the job that the status names
   */
  static Move next(Deployment deployment, JobLook job, Memory memory) {
    if (deployment.deleted()) {
      return deployment.hasFinalizer() ? new Move.CleanUp() : new Move.Idle();
    }
    if (!deployment.hasFinalizer()) {
      return new Move.AddFinalizer();
    }
    Optional<String> problem = deployment.wanted().problem();
    DeploymentStatus status = deployment.status();
    if (problem.isPresent()) {
      boolean said =
          memory.announced() == deployment.generation()
              && ErrorText.validation(problem.get()).equals(status.error());
      return said ? new Move.Idle() : new Move.Refuse(problem.get());
    }
    if (status.isEmpty()) {
      return deployment.wanted().isSuspended() ? new Move.Idle() : new Move.RecordFirst();
    }
    if (status.isUpgrading()) {
      return whileUpgrading(deployment);
    }
    if (status.lastReconciled().spec().isSuspended()) {
      return whileSuspended(deployment, memory);
    }
    return whileDeployed(deployment, job, memory);
  }

  private static Move whileUpgrading(Deployment deployment) {
    DeploymentStatus status = deployment.status();
    if (deployment.hasNews()) {
      return new Move.Prepare(status.lastReconciled().spec().upgradeMode(), true);
    }
    return DeploymentStatus.MISSING.equals(status.jobManager())
        ? new Move.Deploy()
        : new Move.DropJobManager();
  }

  private static Move whileSuspended(Deployment deployment, Memory memory) {
    if (!deployment.wanted().isSuspended()) {
      return new Move.Prepare(deployment.wanted().upgradeMode(), true);
    }
    boolean unsaid = deployment.hasNews() && memory.announced() != deployment.generation();
    return unsaid ? new Move.Announce() : new Move.Idle();
  }

  private static Move whileDeployed(Deployment deployment, JobLook job, Memory memory) {
    DeploymentStatus status = deployment.status();
    if (DeploymentStatus.DEPLOYING.equals(status.jobManager())) {
      return new Move.Start();
    }
    boolean ready = !DeploymentStatus.DEPLOYED_NOT_READY.equals(status.jobManager());
    if (!ready && !(job.is(JobLook.FAILED) && deployment.hasNews())) {
      return new Move.FirstLook();
    }
    if (!deployment.hasNews()) {
      return new Move.Look();
    }
    if (status.error() != null && JobLook.RUNNING.equals(status.jobState())) {
      return new Move.ClearError(memory.attempted() == deployment.generation());
    }
    SpecDiff diff = SpecDiff.between(status.lastReconciled().spec(), deployment.wanted());
    if (diff.isUpgrade()) {
      return replace(deployment.wanted(), job);
    }
    return ready ? new Move.TakeSpec() : new Move.FirstLook();
  }

  /** How the job that is there makes way for the next. */
  private static Move replace(DeploymentSpec wanted, JobLook job) {
    if (job.hasEnded() || job.is(JobLook.UNKNOWN)) {
      return new Move.Prepare(wanted.upgradeMode(), false);
    }
    if (wanted.upgradeMode().equals(DeploymentSpec.STATELESS)) {
      return new Move.Cancel(DeploymentSpec.STATELESS);
    }
    boolean canBeSaved =
        job.is(JobLook.RUNNING) && wanted.upgradeMode().equals(DeploymentSpec.SAVEPOINT);
    return canBeSaved ? new Move.StopWithSavepoint() : new Move.Cancel(DeploymentSpec.LAST_STATE);
  }
}
