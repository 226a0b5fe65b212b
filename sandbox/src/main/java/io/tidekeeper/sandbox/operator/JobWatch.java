package io.tidekeeper.sandbox.operator;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Starts the jobs of one FlinkDeployment, and brings what becomes of them into the status. */
final class JobWatch {
  private static final int MOST_STACK_LINES = 5;

  private final Deployments deployments;
  private final Jobs jobs;
  private final Clock clock;
  private final Duration settle;
  private final boolean stumbles;

  /** Jobs whose main threw here, and what; after a crash it is run again and throws again. */
  private final Map<String, NotStarted> notStarted = new HashMap<>();

  private @Nullable String stumbledOver;

  /**
   * @param settle how long a starting job is given before it is reported as CREATED
   * @param stumbles whether each new job is not found at the first look, for a moment
   */
  JobWatch(Deployments deployments, Jobs jobs, Clock clock, Duration settle, boolean stumbles) {
    this.deployments = deployments;
    this.jobs = jobs;
    this.clock = clock;
    this.settle = settle;
    this.stumbles = stumbles;
  }

  /** What the job is that the status names; one whose main threw has failed. */
  JobLook look(Deployment deployment) {
    String jobId = deployment.status().jobId();
    if (jobId == null) {
      return JobLook.unknown();
    }
    NotStarted failure = notStarted.get(jobId);
    return failure == null
        ? jobs.look(jobId)
        : new JobLook(
            JobLook.FAILED, failure.millis, ErrorText.stackTraceOfMain(failure.exception), null);
  }

  /** The newest state that the job in the status has left, or else the one it was to start from. */
  @Nullable String newestState(Deployment deployment) {
    DeploymentStatus status = deployment.status();
    String seen = look(deployment).restorePoint();
    if (seen != null) {
      return seen;
    }
    String onDisk = jobs.newestOnDisk(deployment.jobId(), status.lastReconciled().spec());
    return onDisk != null ? onDisk : status.upgradeSavepoint();
  }

  /** Starts the job, unless Flink has it already. */
  void start(Deployment deployment) {
    String jobId = deployment.jobId();
    if (!look(deployment).is(JobLook.UNKNOWN)) {
      return;
    }
    try {
      jobs.start(jobId, deployment.status().lastReconciled().spec(), newestState(deployment));
    } catch (Jobs.JobNotStartedException e) {
      notStarted.put(jobId, new NotStarted(e, now().toEpochMilli()));
    }
  }

  /**
   * Observes a new job, once it has something to show.
   *
   * @return false when it is too early
   */
  boolean observeFirst(Deployment deployment) {
    String jobId = deployment.jobId();
    JobLook job = look(deployment);
    if (job.is(JobLook.UNKNOWN)) {
      start(deployment);
      return false;
    }
    if (stumbles && !jobId.equals(stumbledOver)) {
      stumbledOver = jobId;
      deployments.writeStatus(
          deployment, Transitions.errorSet(deployment.status(), ErrorText.jobNotFound()));
      return true;
    }
    boolean overdue =
        now().toEpochMilli() > deployment.status().reconciliationTimestamp() + settle.toMillis();
    if (job.is(JobLook.CREATED) && !overdue) {
      return false;
    }
    observe(deployment);
    return true;
  }

  /** Writes what has become of the job, if that is news. */
  void observe(Deployment deployment) {
    DeploymentStatus status = deployment.status();
    JobLook job = look(deployment);
    if (job.is(JobLook.UNKNOWN)) {
      if (!JobLook.FAILED.equals(status.jobState())) {
        deployments.writeStatus(deployment, Transitions.lost(status, now()));
      }
      return;
    }
    DeploymentStatus seen =
        job.is(JobLook.FAILED)
            ? Transitions.failed(status, job, error(deployment, job), now())
            : Transitions.observed(status, job, now());
    if (!seen.saysTheSame(status)) {
      tellOfChange(deployment);
      deployments.writeStatus(deployment, seen);
      deployments.writeStatus(deployment, Transitions.conditionFollowed(seen, now()));
    }
  }

  /** Tells by events how the job has changed since the status was written. */
  void tellOfChange(Deployment deployment) {
    JobLook job = look(deployment);
    String before = String.valueOf(deployment.status().jobState());
    if (before.equals(job.state())) {
      return;
    }
    NotStarted failure = notStarted.get(deployment.jobId());
    if (failure != null) {
      deployments.tell(deployment, News.error(ErrorText.chainOfMain(failure.exception)));
    }
    deployments.tell(deployment, News.jobStatusChanged(before, job.state()));
    if (job.failure() != null && (job.is("RESTARTING") || job.is(JobLook.FAILED))) {
      deployments.tell(deployment, News.jobException(head(job.failure())));
    }
  }

  private String error(Deployment deployment, JobLook job) {
    NotStarted failure = notStarted.get(deployment.jobId());
    return failure == null
        ? ErrorText.failed(String.valueOf(job.failure()))
        : ErrorText.mainThrew(failure.exception);
  }

  private static String head(String stackTrace) {
    long lines = stackTrace.lines().count();
    String first = String.join("\n", stackTrace.lines().limit(MOST_STACK_LINES).toList());
    return lines <= MOST_STACK_LINES
        ? first
        : "%s\n... (%d more lines)".formatted(first, lines - MOST_STACK_LINES);
  }

  private Instant now() {
    return clock.instant();
  }

  private record NotStarted(Jobs.JobNotStartedException exception, long millis) {}
}
