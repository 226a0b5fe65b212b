package io.tidekeeper.sandbox.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A Flink that keeps account: no two jobs at once, and each goes on where the last one ended. */
final class FakeJobs implements Jobs {
  static final String BAD = "bad";

  private final Map<String, JobLook> jobs = new HashMap<>();
  private final Map<String, String> values = new HashMap<>();
  private final Killer killer;
  private @Nullable String newestState;
  private int ids;
  private int savepoints;
  boolean savepointsFail;

  FakeJobs(Killer killer) {
    this.killer = killer;
  }

  /** The option's value in the only job that runs. */
  String runningValue() {
    return jobs.entrySet().stream()
        .filter(job -> job.getValue().is(JobLook.RUNNING))
        .map(job -> String.valueOf(values.get(job.getKey())))
        .findFirst()
        .orElse("none");
  }

  int savepoints() {
    return savepoints;
  }

  /** Lets the job fail over, again and again, and keep a checkpoint. */
  void letCrashLoop() {
    newestState = "chk-" + ++savepoints;
    jobs.replaceAll(
        (id, job) ->
            job.is(JobLook.RUNNING) ? new JobLook("RESTARTING", 1, "boom", newestState) : job);
  }

  @Override
  public JobLook look(String jobId) {
    return jobs.getOrDefault(jobId, JobLook.unknown());
  }

  @Override
  public String stopWithSavepoint(String jobId, DeploymentSpec spec)
      throws SavepointFailedException {
    if (savepointsFail) {
      throw new SavepointFailedException(new IllegalStateException("disk full"));
    }
    assertThat(look(jobId).state()).isEqualTo(JobLook.RUNNING);
    String path = "savepoint-" + (savepoints + 1);
    killer.around(
        () -> {
          savepoints++;
          newestState = path;
          jobs.put(jobId, new JobLook(JobLook.FINISHED, 1, null, path));
        });
    return path;
  }

  @Override
  public void cancel(String jobId) {
    killer.around(
        () ->
            jobs.computeIfPresent(
                jobId,
                (id, job) ->
                    job.hasEnded()
                        ? job
                        : new JobLook(JobLook.CANCELED, 1, null, job.restorePoint())));
  }

  @Override
  public void start(String jobId, DeploymentSpec spec, @Nullable String restore)
      throws JobNotStartedException {
    assertThat(jobs).doesNotContainKey(jobId);
    assertThat(jobs.values()).allMatch(JobLook::hasEnded);
    assertThat(restore).isEqualTo(newestState);
    String value = String.valueOf(spec.configuration().get(Looks.KEY));
    if (value.equals(BAD)) {
      killer.around(() -> {});
      throw new JobNotStartedException("bad value", new IllegalArgumentException("bad value"));
    }
    killer.around(
        () -> {
          jobs.put(jobId, new JobLook(JobLook.RUNNING, 1, null, restore));
          values.put(jobId, value);
        });
  }

  @Override
  public @Nullable String newestOnDisk(String jobId, DeploymentSpec spec) {
    return look(jobId).restorePoint();
  }

  @Override
  public String newId() {
    return "job-" + ++ids;
  }
}
