package io.tidekeeper.sandbox.operator;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Does what was decided for one FlinkDeployment: first to Flink, then to the status. */
final class Performer {
  private static final int MOST_STACK_LINES = 5;

  private final Deployments deployments;
  private final Jobs jobs;
  private final Clock clock;
  private final Duration settle;

  /** Jobs whose main threw here, and what; after a crash it is run again and throws again. */
  private final Map<String, Jobs.JobNotStartedException> notStarted = new HashMap<>();

  private final boolean stumbles;
  private @Nullable String stumbledOver;
  private Memory memory = Memory.NONE;

  /**
   * @param settle how long a starting job is given before it is reported as CREATED
   * @param stumbles whether each new job is not found at the first look, for a moment
   */
  Performer(Deployments deployments, Jobs jobs, Clock clock, Duration settle, boolean stumbles) {
    this.deployments = deployments;
    this.jobs = jobs;
    this.clock = clock;
    this.settle = settle;
    this.stumbles = stumbles;
  }

  /** What Flink says of the job that the status names. */
  JobLook look(Deployment deployment) {
    String jobId = deployment.status().jobId();
    return jobId == null ? JobLook.unknown() : jobs.look(jobId);
  }

  Memory memory() {
    return memory;
  }

  /** What was known of another object under the same name is worth nothing. */
  void forget() {
    memory = Memory.NONE;
    notStarted.clear();
    stumbledOver = null;
  }

  /**
   * Does it.
   *
   * @return false when it has to be tried again in a moment
   */
  boolean perform(Move move, Deployment deployment) {
    DeploymentStatus status = deployment.status();
    if (move instanceof Move.AddFinalizer) {
      deployments.addFinalizer(deployment);
    } else if (move instanceof Move.CleanUp) {
      cleanUp(deployment);
    } else if (move instanceof Move.Refuse refuse) {
      deployments.tell(deployment, News.validationError(refuse.problem()));
      write(deployment, Transitions.errorSet(status, ErrorText.validation(refuse.problem())));
    } else if (move instanceof Move.RecordFirst) {
      DeploymentStatus first = Transitions.first(deployment, now());
      String from = deployment.wanted().initialSavepointPath();
      write(deployment, from == null ? first : first.edit().upgradeSavepoint(from).done());
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
      start(deployment);
      write(deployment, Transitions.notReady(status));
    } else if (move instanceof Move.FirstLook) {
      return firstLook(deployment);
    } else if (move instanceof Move.Look) {
      observe(deployment, look(deployment));
    }
    return true;
  }

  private void cleanUp(Deployment deployment) {
    deployments.tell(deployment, News.cleanup());
    String jobId = deployment.status().jobId();
    if (jobId != null) {
      jobs.cancel(jobId);
    }
    deployments.removeFinalizer(deployment);
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
      String savepoint = jobs.stopWithSavepoint(jobId(deployment), deployment.wanted());
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
    jobs.cancel(jobId(deployment));
    write(
        deployment,
        Transitions.jobManagerGone(
            Transitions.stopped(deployment, upgradeMode, newest(deployment, upgradeMode), now())));
  }

  private void prepare(Deployment deployment, Move.Prepare prepare) {
    announce(deployment);
    String mode = prepare.upgradeMode();
    String restore =
        prepare.keepsSavepoint()
            ? deployment.status().upgradeSavepoint()
            : newest(deployment, mode);
    write(deployment, Transitions.stopped(deployment, mode, restore, now()));
  }

  /** The newest state that the job has left, where the next is to start from it. */
  private @Nullable String newest(Deployment deployment, String upgradeMode) {
    if (upgradeMode.equals(DeploymentSpec.STATELESS)) {
      return null;
    }
    String seen = look(deployment).restorePoint();
    return seen != null ? seen : newestOnDisk(deployment);
  }

  private @Nullable String newestOnDisk(Deployment deployment) {
    DeploymentStatus status = deployment.status();
    String onDisk = jobs.newestOnDisk(jobId(deployment), status.lastReconciled().spec());
    return onDisk != null ? onDisk : status.upgradeSavepoint();
  }

  private void deploy(Deployment deployment) {
    DeploymentStatus named = Transitions.jobIdGiven(deployment.status(), jobs.newId());
    write(deployment, named);
    deployments.tell(deployment, News.submit());
    write(deployment, Transitions.deployed(deployment, named, now()));
  }

  /** A job that Flink has already is not started again. */
  private void start(Deployment deployment) {
    if (!look(deployment).is(JobLook.UNKNOWN)) {
      return;
    }
    String jobId = jobId(deployment);
    try {
      jobs.start(jobId, deployment.status().lastReconciled().spec(), newestOnDisk(deployment));
      notStarted.remove(jobId);
    } catch (Jobs.JobNotStartedException e) {
      notStarted.put(jobId, e);
    }
  }

  private boolean firstLook(Deployment deployment) {
    String jobId = jobId(deployment);
    JobLook job = look(deployment);
    if (job.is(JobLook.UNKNOWN) && !notStarted.containsKey(jobId)) {
      start(deployment);
      return false;
    }
    if (stumbles && !jobId.equals(stumbledOver)) {
      stumbledOver = jobId;
      write(deployment, Transitions.errorSet(deployment.status(), ErrorText.jobNotFound()));
      return true;
    }
    if (job.is(JobLook.CREATED) && !isOverdue(deployment)) {
      return false;
    }
    observe(deployment, job);
    return true;
  }

  private boolean isOverdue(Deployment deployment) {
    return now().toEpochMilli() > deployment.status().reconciliationTimestamp() + settle.toMillis();
  }

  private void observe(Deployment deployment, JobLook job) {
    DeploymentStatus status = deployment.status();
    Jobs.JobNotStartedException failure = notStarted.get(jobId(deployment));
    DeploymentStatus seen;
    if (job.is(JobLook.UNKNOWN) && JobLook.FAILED.equals(status.jobState())) {
      return;
    } else if (job.is(JobLook.UNKNOWN) && failure != null) {
      seen =
          Transitions.failed(
              status, ErrorText.mainThrew(failure), now().toEpochMilli(), null, now());
      deployments.tell(deployment, News.error(ErrorText.chainOfMain(failure)));
    } else if (job.is(JobLook.UNKNOWN)) {
      write(deployment, Transitions.lost(status, now()));
      return;
    } else if (job.is(JobLook.FAILED)) {
      String error = ErrorText.failed(String.valueOf(job.failure()));
      seen = Transitions.failed(status, error, job.startTime(), job.restorePoint(), now());
    } else {
      seen = Transitions.observed(status, job, now());
    }
    if (seen.saysTheSame(status)) {
      return;
    }
    tellOfChange(deployment, seen, job, failure);
    write(deployment, seen);
    write(deployment, Transitions.conditionFollowed(seen, now()));
  }

  private void tellOfChange(
      Deployment deployment,
      DeploymentStatus seen,
      JobLook job,
      Jobs.@Nullable JobNotStartedException failure) {
    String before = String.valueOf(deployment.status().jobState());
    String after = String.valueOf(seen.jobState());
    if (before.equals(after)) {
      return;
    }
    deployments.tell(deployment, News.jobStatusChanged(before, after));
    if (after.equals("RESTARTING") || after.equals(JobLook.FAILED)) {
      String text = failure == null ? job.failure() : ErrorText.stackTraceOfMain(failure);
      if (text != null) {
        deployments.tell(deployment, News.jobException(head(text)));
      }
    }
  }

  private static String head(String stackTrace) {
    long lines = stackTrace.lines().count();
    String first = String.join("\n", stackTrace.lines().limit(MOST_STACK_LINES).toList());
    return lines <= MOST_STACK_LINES
        ? first
        : "%s\n... (%d more lines)".formatted(first, lines - MOST_STACK_LINES);
  }

  private static String jobId(Deployment deployment) {
    String jobId = deployment.status().jobId();
    if (jobId == null) {
      throw new IllegalStateException(deployment.name() + " has no job yet");
    }
    return jobId;
  }

  private void write(Deployment deployment, DeploymentStatus status) {
    deployments.writeStatus(deployment, status);
  }

  private Instant now() {
    return clock.instant();
  }
}
