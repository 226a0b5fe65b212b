package io.tidekeeper.controller.rollout;

import io.tidekeeper.controller.rollout.RolloutState.InSync;
import io.tidekeeper.controller.rollout.RolloutState.Preparing;
import io.tidekeeper.controller.rollout.RolloutState.Rejected;
import io.tidekeeper.controller.rollout.RolloutState.RollingBack;
import io.tidekeeper.controller.rollout.RolloutState.Saving;
import io.tidekeeper.controller.rollout.RolloutState.Stalled;
import io.tidekeeper.controller.rollout.RolloutState.Waiting;
import io.tidekeeper.controller.rollout.TargetRecord.Ended;
import io.tidekeeper.controller.rollout.TargetRecord.Outcome;
import io.tidekeeper.controller.rollout.TargetRecord.Rejection;
import io.tidekeeper.policy.PolicyOptions;
import io.tidekeeper.policy.PolicySettings;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Nothing is under way: is there a change, and may it start? */
final class RestingStep {

  /** How long a decided change may take to be written. */
  private static final Duration PREPARATION = Duration.ofMinutes(2);

  /** What the status holds. */
  private static final int LONGEST_REQUEST = 64;

  /** Gates that open when the job runs. */
  private static final Set<Reason> FOR_THE_JOB =
      EnumSet.of(Reason.OperatorError, Reason.TargetBusy, Reason.JobNotRunning);

  private final Look look;
  private final PolicyView policy;

  RestingStep(Look look) {
    this.look = look;
    this.policy = look.seen.policy();
  }

  Action decide() {
    if (policy.leaving()) {
      TargetRecord record = look.record;
      return look.stay(
          record.state(), record.state() instanceof Waiting ? Gates.leaving() : record.notice());
    }
    PolicySettings settings = policy.settings();
    if (settings == null) {
      return rest(new Notice(Reason.SpecNotAccepted, policy.problems()));
    }
    if (look.seen.holder() != null) {
      return rest(
          new Notice(
              Reason.Conflicted,
              "WatermarkPolicy %s holds FlinkDeployment %s. Take the target out of one of them."
                  .formatted(look.seen.holder(), look.target.name())));
    }
    Action byHand = byHand();
    if (byHand != null) {
      return byHand;
    }
    String desired = settings.hash();
    String has = look.live.hash();
    boolean same = desired.equals(has) && look.live.isComplete();
    return same ? same(desired) : change(settings, desired, has);
  }

  /** Waits; what has stalled stays so until it is healthy or something else is tried. */
  private Action rest(Notice gate) {
    TargetRecord record = look.record;
    return record.state() instanceof Stalled
        ? look.stay(record.state(), record.notice())
        : look.stay(new Waiting(), gate);
  }

  /** The target has the options asked for. */
  private Action same(String desired) {
    if (!FieldOwners.isOurs(look.target, look.live) && look.gates.write(look.live) == null) {
      // With the same values nothing restarts, and they stay when the other owner lets go.
      return new Action.Apply(look.target.uid(), look.live);
    }
    boolean stalled = look.record.state() instanceof Stalled;
    TargetRecord record =
        look.record.settings(look.record.change(), desired).has(desired, look.live.revision());
    if (look.health.missing(look.live) == null || (!stalled && isProven(desired))) {
      Notice applied =
          new Notice(
              Reason.Applied, "The job runs on revision %d.".formatted(look.live.revision()));
      return look.settle(record.to(new InSync(), applied, look.now));
    }
    return stalled
        ? look.settle(record.to(record.state(), record.notice(), look.now))
        : adopt(record, desired);
  }

  /** What was healthy once is not put on trial again for every restart of the job. */
  private boolean isProven(String desired) {
    return desired.equals(look.record.appliedHash())
        && look.record.revision() == look.live.revision();
  }

  /** The options are there and not known to be healthy: watch them as if just written. */
  private Action adopt(TargetRecord record, String desired) {
    String change = ChangeId.of(null, desired);
    Flight flight =
        Flight.start(
                change,
                desired,
                look.live.revision(),
                null,
                null,
                look.now,
                look.now.plus(policy.rollout().savepointTimeout()))
            .written(look.target.generation());
    Notice adopted =
        new Notice(
            Reason.SavepointPending,
            "The options were found on the target and are not known to be healthy.");
    return look.remember(
        record
            .settings(change, desired)
            .has(null, look.live.revision())
            .to(new Saving(flight), adopted, look.now));
  }

  private Action change(PolicySettings settings, String desired, @Nullable String has) {
    String change = ChangeId.of(has, desired);
    boolean stalled = look.record.state() instanceof Stalled;
    boolean known = isKnown(has);
    TargetRecord record = look.record.settings(change, desired);
    if (known) {
      record = record.has(has, look.live.revision());
    }
    Rejection rejection = record.rejected();
    boolean rejected = rejection != null && rejection.change().equals(change);
    if (rejection != null && rejected && !isRetried(change)) {
      if (known && isUnnumbered()) {
        return renumber(rejection, desired);
      }
      boolean recovered = !stalled || look.health.missing(look.live) == null;
      return look.settle(
          recovered
              ? record.to(new Rejected(), rejected(rejection), look.now)
              : record.to(record.state(), record.notice(), look.now));
    }
    long revision = look.nextRevision();
    boolean repair = stalled || (!known && isBroken());
    Notice gate = look.gates.start(OwnKeys.of(settings, revision), repair);
    if (gate != null) {
      return look.settle(
          stalled
              ? record.to(record.state(), record.notice(), look.now)
              : record.to(new Waiting(), gate, look.now));
    }
    boolean goodToGoBackTo = known && !stalled && look.live.isComplete();
    Flight flight =
        Flight.start(
            change,
            desired,
            revision,
            goodToGoBackTo ? look.live : record.undo(),
            look.lateSoFar(),
            look.now,
            look.now.plus(PREPARATION));
    TargetRecord begun =
        record
            .has(record.appliedHash(), revision)
            .rejected(null)
            .retried(rejected ? policy.retry() : record.handledRetry());
    return look.remember(
        begun.to(
            new Preparing(flight),
            new Notice(Reason.Preparing, "Change %s is about to be written.".formatted(change)),
            look.now));
  }

  /**
   * What stands there does not run and is not known to have ever worked: to wait for it would be to
   * wait for ever.
   */
  private boolean isBroken() {
    TargetRecord record = look.record;
    boolean waitsForTheJob =
        record.state() instanceof Waiting && FOR_THE_JOB.contains(record.notice().reason());
    return look.health.isBroken()
        || (waitsForTheJob && !look.now.isBefore(record.since().plus(Standing.EXPECTATION)));
  }

  /** Whether the job is known to have run on what the target has; without options it always has. */
  private boolean isKnown(@Nullable String has) {
    return look.live.isEmpty()
        || (has != null
            && (has.equals(look.record.appliedHash()) || look.health.missing(look.live) == null));
  }

  /** A person takes back the change that went through last. */
  private @Nullable Action byHand() {
    TargetRecord record = look.record;
    String reject = policy.reject();
    if (reject == null
        || reject.equals(record.handledReject())
        || record.undo() == null
        || record.history().isEmpty()) {
      return null;
    }
    Ended last = record.history().get(0);
    boolean wentThrough = last.outcome() == Outcome.Succeeded || last.outcome() == Outcome.Stalled;
    if (!wentThrough
        || !isFor(last.change(), reject)
        || !last.hash().equals(look.live.hash())
        || record.state() instanceof Rejected) {
      return null;
    }
    Notice cause =
        new Notice(
            Reason.RejectedByHand,
            "The annotation %s asks for change %s to be taken back."
                .formatted(Annotations.REJECT, last.change()));
    return goBack(
        record.takenBack(reject), last.change(), last.hash(), record.undo(), cause, cause);
  }

  /** Whether somebody took only the number away, and a target may be given one. */
  private boolean isUnnumbered() {
    return !look.live.isComplete()
        && look.gates.wayBack(look.live.withRevision(look.nextRevision())) == null;
  }

  /**
   * The former settings run, and stay: what the policy asks for was taken back. But without its
   * number a target is one that no controller could ever write to completely.
   */
  private Action renumber(Rejection rejection, String desired) {
    Notice notice =
        new Notice(
            Reason.RollingBack,
            "The option %s was taken away from the target; it is brought back."
                .formatted(PolicyOptions.REVISION));
    return goBack(
        look.record,
        rejection.change(),
        desired,
        look.live.withRevision(look.nextRevision()),
        rejection.cause(),
        notice);
  }

  private Action goBack(
      TargetRecord record,
      String change,
      String hash,
      OwnKeys previous,
      Notice cause,
      Notice notice) {
    Instant deadline =
        look.now.plus(policy.rollout().savepointTimeout()).plus(policy.rollout().healthDeadline());
    long revision = look.nextRevision();
    Flight flight =
        Flight.start(change, hash, 0, previous, null, look.now, deadline)
            .back(cause, revision, deadline);
    return look.remember(
        record
            .settings(change, hash)
            .has(record.appliedHash(), revision)
            .to(new RollingBack(flight), notice, look.now));
  }

  private boolean isRetried(String change) {
    String retry = policy.retry();
    return retry != null && isFor(change, retry) && !retry.equals(look.record.handledRetry());
  }

  /** Whether a request is about the change: its id, perhaps with a number to ask again. */
  private static boolean isFor(String change, String request) {
    return request.equals(change)
        || (request.startsWith(change + "/") && request.length() <= LONGEST_REQUEST);
  }

  private static Notice rejected(Rejection rejection) {
    return new Notice(
        Reason.ChangeRejected,
        "Change %s was taken back. %s Change the policy, or annotate it with %s: %s to try again."
            .formatted(
                rejection.change(),
                rejection.cause().message(),
                Annotations.RETRY,
                rejection.change()));
  }
}
