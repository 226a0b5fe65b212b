package io.tidekeeper.job.live;

import io.tidekeeper.policy.LiveChange;
import io.tidekeeper.policy.PolicySettings;
import java.util.SortedSet;

/**
 * What becomes of a policy file. The higher revision wins; a file is taken over whole or not at
 * all, and what is in force stays when it is not.
 *
 * @param state how the file stands
 * @param inForce the policy to run on from now on
 * @param message what is wrong and what to do, or what was found
 */
public record LiveDecision(FileState state, PolicySettings inForce, String message) {

  /**
   * Decides; the same arguments always give the same result.
   *
   * @param started the policy of the job's options, which fixed what cannot change while it runs
   * @param inForce the policy it runs on now
   * @param found what the file holds
   */
  public static LiveDecision decide(
      PolicySettings started, PolicySettings inForce, FileContent found) {
    if (found instanceof FileContent.Policy file) {
      return decide(started, inForce, file.policy());
    }
    if (found instanceof FileContent.Broken broken) {
      return new LiveDecision(FileState.BROKEN, inForce, "it " + broken.message() + stays(inForce));
    }
    return new LiveDecision(FileState.ABSENT, inForce, "there is no file" + stays(inForce));
  }

  private static LiveDecision decide(
      PolicySettings started, PolicySettings inForce, PolicySettings file) {
    if (file.revision() < inForce.revision()) {
      return new LiveDecision(
          FileState.OLDER,
          inForce,
          "its revision %d is lower".formatted(file.revision()) + stays(inForce));
    }
    if (file.revision() == inForce.revision()) {
      return file.hash().equals(inForce.hash())
          ? new LiveDecision(FileState.IN_FORCE, inForce, "revision %d".formatted(file.revision()))
          : new LiveDecision(
              FileState.SAME_REVISION,
              inForce,
              "it has revision %d with other options (%s, not %s); give it a higher one"
                      .formatted(file.revision(), file.hash(), inForce.hash())
                  + stays(inForce));
    }
    SortedSet<String> blockers = LiveChange.needingRestart(started, file);
    if (!blockers.isEmpty()) {
      return new LiveDecision(
          FileState.NEEDS_RESTART,
          inForce,
          "its revision %d changes what needs a restart: %s"
                  .formatted(file.revision(), String.join(", ", blockers))
              + stays(inForce));
    }
    return new LiveDecision(FileState.IN_FORCE, file, "revision %d".formatted(file.revision()));
  }

  private static String stays(PolicySettings inForce) {
    return "; revision %d stays in force".formatted(inForce.revision());
  }
}
