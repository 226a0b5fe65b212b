package io.tidekeeper.controller.rollout;

import io.tidekeeper.controller.flink.FlinkDeployment;
import io.tidekeeper.controller.flink.JobState;
import io.tidekeeper.controller.flink.Lifecycle;
import io.tidekeeper.controller.flink.OperatorView;
import io.tidekeeper.controller.flink.UpgradeMode;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** From which state the operator starts a job anew; as the end of a sentence. */
final class StateSource {

  /** What an operator writes in place of a path when it takes the newest checkpoint. */
  private static final String LAST_STATE = "KUBERNETES_OPERATOR_LAST_STATE";

  private static final Set<JobState> ENDED =
      EnumSet.of(JobState.FAILED, JobState.FINISHED, JobState.CANCELED);

  private StateSource() {}

  /** What it will do when the options of the target change now. */
  static String expected(FlinkDeployment target) {
    OperatorView operator = target.operator();
    if (operator.lifecycle() == Lifecycle.UPGRADING || ENDED.contains(operator.jobState())) {
      return taken(operator.savepoint());
    }
    boolean savepoint =
        operator.jobState() == JobState.RUNNING && target.upgradeMode() == UpgradeMode.SAVEPOINT;
    // A job that does not run cannot be stopped with a savepoint, and is not waited for.
    return savepoint ? "by a savepoint that is taken now" : taken(LAST_STATE);
  }

  /** What it has done, from the path in its status. */
  static String taken(@Nullable String path) {
    if (path == null) {
      return "without state, for none was saved yet";
    }
    if (path.equals(LAST_STATE)) {
      return "by last-state, from the job's newest checkpoint";
    }
    boolean checkpoint = path.substring(path.lastIndexOf('/') + 1).startsWith("chk-");
    return (checkpoint ? "from checkpoint " : "from savepoint ") + path;
  }
}
