package io.tidekeeper.sandbox.operator;

import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Does what was decided for one FlinkDeployment: first to Flink, then to the status. */
final class Performer {
  private final Deployments deployments;
  private final Jobs jobs;
  private final JobWatch watch;
  private final Clock clock;
  private Memory memory = Memory.NONE;

  Performer(Deployments deployments, Jobs jobs, JobWatch watch, Clock clock) {
    this.deployments = deployments;
    this.jobs = jobs;
    this.watch = watch;
    this.clock = clock;
  }

  /** What is to be done next. */
  Move next(Deployment deployment) {
    return Decision.next(deployment, watch.look(deployment), memory);
  }

  /** Does it; false when it has to be tried again in a moment. */
  boolean perform(Move move, Deployment deployment) {
    DeploymentStatus status = deployment.status();
    if (move instanceof Move.AddFinalizer) {
      // A new object: what was known of another one under its name is worth nothing.
      memory = Memory.NONE;
      deployments.addFinalizer(deployment);
    } else if (move instanceof Move.CleanUp) {
      cleanUp(deployment);
    } else if (move instanceof Move.Refuse refuse) {
      refuse(deployment, refuse.problem());
    } else if (move instanceof Move.RecordFirst) {
      write(deployment, Transitions.first(deployment, now()));
    } else if (move instanceof Move.Announce) {
      announce(deployment);
    } else if (move instanceof Move.ClearError) {
      write(deployment, Transitions.errorCleared(status));
    } else if (move instanceof Move.TakeSpec) {
      write(deployment, Transitions.specTaken(deployment, now()));
    } else if (move instanceof Move.StopWithSavepoint) {
      stopWithSavepoint(deployment);
    } else if (move instanceof Move.Cancel cancel) {
      cancel(deployment, cancel.upgradeMode());
    } else if (move instanceof Move.Prepare prepare) {
      prepare(deployment, prepare);
    } else if (move instanceof Move.DropJobManager) {
      write(deployment, Transitions.jobManagerGone(status));
    } else if (move instanceof Move.Deploy) {
      deploy(deployment);
    } else if (move instanceof Move.Start) {
      watch.start(deployment);
      write(deployment, Transitions.notReady(status));
    } else if (move instanceof Move.FirstLook) {
      return watch.observeFirst(deployment);
    } else if (move instanceof Move.Look) {
      watch.observe(deployment);
    }
    return true;
  }

  private void cleanUp(Deployment deployment) {
    deployments.tell(deployment, News.cleanup());
    if (deployment.status().jobId() != null) {
      jobs.cancel(deployment.jobId());
    }
    deployments.removeFinalizer(deployment);
  }

  private void refuse(Deployment deployment, String problem) {
    deployments.tell(deployment, News.validationError(problem));
    memory = memory.withAnnounced(deployment.generation());
    String error = ErrorText.validation(problem);
    if (!error.equals(deployment.status().error())) {
      write(deployment, Transitions.errorSet(deployment.status(), error));
    }
  }

  private void announce(Deployment deployment) {
    if (memory.announced() != deployment.generation()) {
      SpecDiff diff =
          SpecDiff.between(deployment.status().lastReconciled().spec(), deployment.wanted());
      deployments.tell(deployment, News.specChanged(diff));
      memory = memory.withAnnounced(deployment.generation());
    }
  }

  private void stopWithSavepoint(Deployment deployment) {
    announce(deployment);
    deployments.tell(deployment, News.suspended());
    try {
      String savepoint = jobs.stopWithSavepoint(deployment.jobId(), deployment.wanted());
      write(
          deployment, Transitions.stopped(deployment, DeploymentSpec.SAVEPOINT, savepoint, now()));
    } catch (Jobs.SavepointFailedException e) {
      memory = memory.withAttempted(deployment.generation());
      deployments.tell(deployment, News.savepointError(e));
      write(deployment, Transitions.errorSet(deployment.status(), ErrorText.savepoint(e)));
    }
  }

  private void cancel(Deployment deployment, String upgradeMode) {
    announce(deployment);
    deployments.tell(deployment, News.suspended());
    jobs.cancel(deployment.jobId());
    String restore = restore(deployment, upgradeMode);
    write(
        deployment,
        Transitions.jobManagerGone(Transitions.stopped(deployment, upgradeMode, restore, now())));
  }

  private void prepare(Deployment deployment, Move.Prepare prepare) {
    if (prepare.keepsSavepoint()) {
      announce(deployment);
      String kept = deployment.status().upgradeSavepoint();
      write(deployment, Transitions.stopped(deployment, prepare.upgradeMode(), kept, now()));
      return;
    }
    if (DeploymentStatus.DEPLOYED_NOT_READY.equals(deployment.status().jobManager())) {
      watch.tellOfChange(deployment);
    }
    announce(deployment);
    String restore = restore(deployment, prepare.upgradeMode());
    write(deployment, Transitions.stopped(deployment, prepare.upgradeMode(), restore, now()));
  }

  private void deploy(Deployment deployment) {
    DeploymentStatus named = Transitions.jobIdGiven(deployment.status(), jobs.newId());
    write(deployment, named);
    deployments.tell(deployment, News.submit());
    write(deployment, Transitions.deployed(deployment, named, now()));
  }

  /** What the next job starts from; null: it starts empty. */
  private @Nullable String restore(Deployment deployment, String upgradeMode) {
    return upgradeMode.equals(DeploymentSpec.STATELESS) ? null : watch.newestState(deployment);
  }

  private void write(Deployment deployment, DeploymentStatus status) {
    deployments.writeStatus(deployment, status);
  }

  private Instant now() {
    return clock.instant();
  }
}
