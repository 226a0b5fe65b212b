package io.tidekeeper.sandbox.demo;

import io.tidekeeper.crds.HistoryEntry;
import io.tidekeeper.crds.ReasonStatus;
import io.tidekeeper.crds.TargetStatus;
import io.tidekeeper.sandbox.account.Claim;
import io.tidekeeper.sandbox.run.Narrator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What rollouts claim, from what is seen after them. */
final class RolloutClaims {

  private static final int BEFORE_WORD = 60;
  private static final String REVERTED = "RolledBack";

  /** A share with the numbers it was made of, and the limit. */
  private static final Pattern LATE_SHARE =
      Pattern.compile(
          "([0-9.]+)% \\(([0-9]+) of ([0-9]+)\\).* limit of ([0-9.]+)%", Pattern.DOTALL);

  private RolloutClaims() {}

  /**
   * What is seen after a rollout.
   *
   * @param target the policy's first target
   * @param settings the settings that the FlinkDeployment has
   * @param revisions the revisions that the job's sources report
   */
  record Seen(TargetStatus target, Map<String, String> settings, Set<Long> revisions) {
    Seen {
      settings = Map.copyOf(settings);
      revisions = Set.copyOf(revisions);
    }

    private boolean runsOnItsRevision() {
      return target.revision() != null && revisions.equals(Set.of(target.revision()));
    }

    private String running() {
      return "every source reports revision " + new TreeSet<>(revisions);
    }
  }

  /** Deployment and policy, applied together, have come to run. */
  static Claim startedTogether(Seen seen) {
    return claim(
        "job and policy applied together",
        seen.runsOnItsRevision() && seen.settings().containsValue("5s"),
        "job and policy were applied together, and the policy is "
            + seen.target().reason()
            + ": "
            + seen.running());
  }

  /** A change was rolled out by savepoint. */
  static Claim rolledOut(Seen before, Seen after) {
    TargetStatus target = after.target();
    HistoryEntry entry = newest(target);
    return claim(
        "the schedule is rolled out",
        entry.outcome().equals("Succeeded")
            && after.runsOnItsRevision()
            && after.settings().containsValue("Schedule")
            && String.valueOf(target.savepoint()).contains("savepoint-")
            && !String.valueOf(target.jobId()).equals(before.target().jobId()),
        "the schedule was rolled out by savepoint in %s: %s"
            .formatted(Durations.between(entry.startedAt(), entry.finishedAt()), after.running()));
  }

  /** A change that made too many records late was taken back, with the numbers. */
  static Claim lateShareTakenBack(Seen before, Seen after) {
    String message = rejection(after.target()).message();
    Matcher numbers = LATE_SHARE.matcher(message);
    boolean told = numbers.find() && exceeds(numbers);
    return claim(
        "a bound too tight is taken back",
        told && isTakenBack(before, after, "LateShareExceeded"),
        "1 s was taken back, with the numbers: \"%s\"".formatted(Narrator.head(message)));
  }

  /** A change that the job's main refuses was taken back, with the name that it refuses. */
  static Claim unknownSourceTakenBack(Seen before, Seen after, String source) {
    String message = rejection(after.target()).message();
    return claim(
        "a source that is not there is taken back",
        message.contains(source) && isTakenBack(before, after, "JobFailed"),
        "the source '%s' was taken back, and is named: \"%s\""
            .formatted(source, about(source, message)));
  }

  /** An invalid policy was refused, and changed nothing. */
  static Claim refused(boolean refused, String message, long before, long after) {
    return claim(
        "an invalid policy is refused",
        refused && message.contains("maxOutOfOrderness") && before == after,
        "the API server refused an invalid policy; the one before stands");
  }

  /** Setting a rejected policy back restarts nothing. */
  static Claim setBack(Seen rejected, Seen after) {
    return claim(
        "setting the policy back restarts nothing",
        after.settings().equals(rejected.settings())
            && String.valueOf(after.target().jobId()).equals(rejected.target().jobId())
            && after.runsOnItsRevision(),
        "the policy was set back without a restart: it is " + after.target().reason());
  }

  /** The controller has left the owner's options alone. */
  static Claim ownersOptionsKept(Map<String, String> before, Map<String, String> after) {
    return claim(
        "the owner's options are the owner's",
        before.equals(after),
        "%d options of the deployment that are not a policy's are as their owner wrote them"
            .formatted(after.size()));
  }

  private static boolean isTakenBack(Seen before, Seen after, String reason) {
    HistoryEntry entry = newest(after.target());
    return entry.outcome().equals(REVERTED)
        && rejection(after.target()).reason().equals(reason)
        && after.settings().equals(before.settings())
        && after.runsOnItsRevision()
        && !after.revisions().equals(before.revisions());
  }

  /** Whether the share is what its numbers make, and above the limit. */
  private static boolean exceeds(Matcher numbers) {
    double share = Double.parseDouble(numbers.group(1));
    double late = Double.parseDouble(numbers.group(2));
    double all = Double.parseDouble(numbers.group(3));
    return Math.abs(100 * late / all - share) < 0.01
        && share > Double.parseDouble(numbers.group(4));
  }

  /** The words around one, as one line. */
  static String about(String word, String text) {
    String line = text.strip().replaceAll("\\s+", " ");
    int at = Math.max(0, line.indexOf(word) - BEFORE_WORD);
    return (at == 0 ? "" : "…") + Narrator.head(line.substring(at));
  }

  private static HistoryEntry newest(TargetStatus target) {
    if (target.history().isEmpty()) {
      throw new IllegalStateException("the policy's history is empty: " + target);
    }
    return target.history().get(0);
  }

  private static ReasonStatus rejection(TargetStatus target) {
    if (target.rejection() == null) {
      throw new IllegalStateException("the policy has no rejection: " + target);
    }
    return target.rejection();
  }

  private static Claim claim(String name, boolean holds, String text) {
    return new Claim(name, holds, text, List.of());
  }
}
