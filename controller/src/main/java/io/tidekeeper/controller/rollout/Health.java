package io.tidekeeper.controller.rollout;

import io.tidekeeper.controller.flink.FlinkDeployment;
import io.tidekeeper.controller.flink.JobManagerState;
import io.tidekeeper.controller.flink.JobState;
import io.tidekeeper.controller.flink.Lifecycle;
import io.tidekeeper.controller.flink.OperatorError;
import io.tidekeeper.controller.flink.OperatorView;
import io.tidekeeper.controller.flink.ReconciledSpec;
import io.tidekeeper.controller.flink.ReconciliationState;
import io.tidekeeper.controller.rollout.JobReading.SourceSubtask;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether a target runs on given options. The operator's STABLE alone proves nothing: it is old
 * before the operator has looked, and stays through a crash loop.
 */
final class Health {

  private static final Set<JobState> STARTING =
      EnumSet.of(JobState.RECONCILING, JobState.INITIALIZING, JobState.CREATED);

  private final FlinkDeployment target;
  private final OperatorView operator;
  private final @Nullable JobReading job;
  private final String unheard;
  private final List<String> sources;

  /**
   * @param unheard why the job could not be asked, or empty
   * @param sources the sources that are known to read policies, separated by commas, or null
   */
  Health(
      FlinkDeployment target, @Nullable JobReading job, String unheard, @Nullable String sources) {
    this.target = target;
    this.operator = target.operator();
    this.job = job;
    this.unheard = unheard;
    this.sources =
        sources == null || sources.isEmpty() ? List.of() : Arrays.asList(sources.split(",", -1));
  }

  /** Whether the operator has taken exactly these options over. */
  boolean operatorHas(OwnKeys keys) {
    ReconciledSpec reconciled = operator.reconciled();
    return reconciled != null && OwnKeys.in(reconciled.configuration()).equals(keys);
  }

  /** What is missing until the operator is done and the job runs; null if nothing. */
  @Nullable String missingInOperator(OwnKeys keys) {
    ReconciledSpec reconciled = operator.reconciled();
    OperatorError error = operator.error();
    if (!target.observed()) {
      return "the operator has acted on generation %d, not on %d"
          .formatted(operator.observedGeneration(), target.generation());
    }
    if (reconciled == null || !operatorHas(keys)) {
      return "the operator's last reconciled spec has other options";
    }
    if (error != null) {
      return "the operator reports " + error.type() + ": " + error.message();
    }
    if (!reconciled.running()
        || operator.reconciliation() != ReconciliationState.DEPLOYED
        || operator.lifecycle() != Lifecycle.STABLE) {
      return "the deployment is %s, its JobManager %s and its job %s"
          .formatted(operator.lifecycle(), operator.jobManager(), operator.jobState());
    }
    if (operator.jobManager() != JobManagerState.READY) {
      return "the JobManager is " + operator.jobManager();
    }
    if (operator.jobState() != JobState.RUNNING) {
      return "the job is " + operator.jobState();
    }
    return null;
  }

  /** What is missing until every source runs on the options; null if nothing. */
  @Nullable String missing(OwnKeys keys) {
    String inOperator = missingInOperator(keys);
    if (inOperator != null || keys.isEmpty()) {
      return inOperator;
    }
    if (job == null) {
      return "the job's metrics cannot be read" + (unheard.isEmpty() ? "" : " (" + unheard + ")");
    }
    boolean any = false;
    for (SourceSubtask subtask : job.subtasks()) {
      Long revision = subtask.revision();
      if (revision == null) {
        if (sources.contains(subtask.source())) {
          return "source " + subtask + " reports no revision";
        }
      } else if (revision != keys.revision()) {
        return "source %s reports revision %d, not %d"
            .formatted(subtask, revision, keys.revision());
      } else {
        any = true;
      }
    }
    for (String source : sources) {
      if (job.subtasks().stream().noneMatch(subtask -> subtask.source().equals(source))) {
        return "source " + source + " is not seen";
      }
    }
    return any ? null : "no source reports a revision";
  }

  /** Why the target has failed for good, or null. Trouble that may pass is not looked at. */
  @Nullable Notice failure() {
    if (operator.reconciliation() == ReconciliationState.ROLLED_BACK) {
      return new Notice(
          Reason.OperatorRolledBack,
          "The Flink operator took the deployment back to the spec that ran before.");
    }
    if (operator.lifecycle() == Lifecycle.FAILED || operator.jobState() == JobState.FAILED) {
      return new Notice(Reason.JobFailed, "The job failed on the new settings" + because());
    }
    return null;
  }

  /** Whether the target has failed, or may have. */
  boolean isBroken() {
    return failure() != null || inTrouble();
  }

  /** Whether the operator reports what may pass by itself and is a failure when it stays. */
  boolean inTrouble() {
    return operator.jobManager() == JobManagerState.ERROR
        || (operator.error() != null && !isStarting());
  }

  /**
   * An operator that looks before {@code main()} has submitted the job reports "Job Not Found", and
   * goes on reporting it until the job runs, however long that waits for slots.
   */
  private boolean isStarting() {
    return operator.lifecycle() == Lifecycle.DEPLOYED
        && operator.jobManager() == JobManagerState.READY
        && STARTING.contains(operator.jobState());
  }

  /** The failure that trouble is when it stays. */
  Notice lastingTrouble() {
    return operator.jobManager() == JobManagerState.ERROR
        ? new Notice(
            Reason.JobManagerFailed, "The JobManager cannot start on the new settings" + because())
        : new Notice(
            Reason.OperatorError, "The Flink operator keeps reporting an error" + because());
  }

  /** The operator's own words, as the end of a sentence. */
  String because() {
    OperatorError error = operator.error();
    if (error == null) {
      return ".";
    }
    String words = error.type() + ": " + error.message();
    return ": " + words + (words.matches("(?s).*[.!?:]\\s*") ? "" : ".");
  }
}
