package io.tidekeeper.controller.rollout;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered about a target, in the status of the policy.
 *
 * @param name the target's name
 * @param uid the identity of the object it is about, or null when none was seen
 * @param state where the rollout stands
 * @param notice what a person reads
 * @param since since when state and reason are these
 * @param change the change that waits, is under way or was decided last, or null
 * @param desiredHash the settings asked for, or null
 * @param appliedHash the settings the target had before the change under way, else has, or null
 * @param revision the number the target has or is being given
 * @param jobId the job, or null
 * @param savepoint where the job started from, or null
 * @param undo what was there before the last change that went through, or null
 * @param rejected the change that was taken back, or null
 * @param handledRetry the retry request that was granted last, or null
 * @param handledReject the request to take a change back that was granted last, or null
 * @param counting where the job's late records are counted from, or null for its start
 * @param lastFinished when the last rollout ended, or null
 * @param sources the names of the job's sources, or null
 * @param jobFormat the policy format the job understands, or null
 * @param history what was rolled out, newest first
 */
public record TargetRecord(
    String name,
    @Nullable String uid,
    RolloutState state,
    Notice notice,
    Instant since,
    @Nullable String change,
    @Nullable String desiredHash,
    @Nullable String appliedHash,
    long revision,
    @Nullable String jobId,
    @Nullable String savepoint,
    @Nullable OwnKeys undo,
    @Nullable Rejection rejected,
    @Nullable String handledRetry,
    @Nullable String handledReject,
    @Nullable CountedFrom counting,
    @Nullable Instant lastFinished,
    @Nullable String sources,
    @Nullable Integer jobFormat,
    List<Ended> history) {

  private static final int HISTORY = 10;

  /** Copies the history. */
  public TargetRecord {
    history = List.copyOf(history);
  }

  /**
   * A change that was taken back.
   *
   * @param change its id
   * @param cause why
   */
  public record Rejection(String change, Notice cause) {}

  /**
   * What a job said when it was first healthy.
   *
   * @param jobId the job, or null
   * @param restarts its restarts until then
   * @param late its records until then
   */
  public record CountedFrom(@Nullable String jobId, long restarts, LateCount late) {}

  /** How a rollout ended. */
  public enum Outcome {
    /** The new settings run. */
    Succeeded,
    /** Taken back before it took effect. */
    Withdrawn,
    /** The former settings run again. */
    RolledBack,
    /** A person must go on. */
    Stalled,
    /** Overtaken by events. */
    Interrupted
  }

  /**
   * A rollout that has ended.
   *
   * @param change its id
   * @param outcome how it ended
   * @param why why it ended so
   * @param hash the settings it was about
   * @param revision the last number it used
   * @param savepoint where the job started from, or null
   * @param startedAt when it began
   * @param finishedAt when it ended
   */
  public record Ended(
      String change,
      Outcome outcome,
      Notice why,
      String hash,
      long revision,
      @Nullable String savepoint,
      Instant startedAt,
      Instant finishedAt) {}

  /** A target nobody has looked at. */
  public static TargetRecord fresh(String name, Instant now) {
    return new TargetRecord(
        name,
        null,
        new RolloutState.Waiting(),
        new Notice(Reason.Pending, "The target has not been looked at yet."),
        now,
        null,
        null,
        null,
        0,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        List.of());
  }

  /** Whether a change is between its decision and its verdict, so that the policy must not go. */
  public boolean isUnderWay() {
    return state instanceof RolloutState.Moving;
  }

  /**
   * Moves on, or stays with another notice.
   *
   * @throws IllegalStateException if the state does not follow
   */
  TargetRecord to(RolloutState next, Notice newNotice, Instant now) {
    boolean stays = next.getClass() == state.getClass();
    if (!stays && !state.successors().contains(next.getClass())) {
      throw new IllegalStateException(state.name() + " is never followed by " + next.name());
    }
    boolean same = stays && newNotice.reason() == notice.reason();
    return with(
        edit -> {
          edit.state = next;
          edit.notice = newNotice;
          edit.since = same ? since : now;
        });
  }

  /** The object under the name is this one; what was known about another is no longer true. */
  TargetRecord about(@Nullable String newUid) {
    TargetRecord fresh = fresh(name, since);
    return fresh.with(
        edit -> {
          edit.uid = newUid;
          edit.state = state;
          edit.notice = notice;
          edit.desiredHash = desiredHash;
          edit.handledRetry = handledRetry;
          edit.handledReject = handledReject;
          edit.history = history;
        });
  }

  TargetRecord settings(@Nullable String newChange, @Nullable String desired) {
    return with(
        edit -> {
          edit.change = newChange;
          edit.desiredHash = desired;
        });
  }

  TargetRecord has(@Nullable String applied, long newRevision) {
    return with(
        edit -> {
          edit.appliedHash = applied;
          edit.revision = newRevision;
        });
  }

  TargetRecord job(@Nullable String id, @Nullable String from) {
    return with(
        edit -> {
          edit.jobId = id;
          edit.savepoint = from;
        });
  }

  TargetRecord speaks(@Nullable String names, @Nullable Integer format) {
    return with(
        edit -> {
          edit.sources = names;
          edit.jobFormat = format;
        });
  }

  TargetRecord undo(@Nullable OwnKeys keys) {
    return with(edit -> edit.undo = keys);
  }

  TargetRecord rejected(@Nullable Rejection rejection) {
    return with(edit -> edit.rejected = rejection);
  }

  TargetRecord retried(@Nullable String retry) {
    return with(edit -> edit.handledRetry = retry);
  }

  TargetRecord takenBack(@Nullable String reject) {
    return with(edit -> edit.handledReject = reject);
  }

  TargetRecord counting(@Nullable CountedFrom from) {
    return with(edit -> edit.counting = from);
  }

  /** Adds an ended rollout. */
  TargetRecord ended(Ended entry) {
    List<Ended> entries = new ArrayList<>();
    entries.add(entry);
    entries.addAll(history.subList(0, Math.min(history.size(), HISTORY - 1)));
    return with(
        edit -> {
          edit.history = entries;
          edit.lastFinished = entry.finishedAt();
        });
  }

  /** A copy with some fields changed. */
  TargetRecord with(Consumer<Edit> change) {
    Edit edit = new Edit(this);
    change.accept(edit);
    return edit.record();
  }

  /** The same fields, to be changed on the way from one record to the next. */
  static final class Edit {

    private final String name;
    @Nullable String uid;
    RolloutState state;
    Notice notice;
    Instant since;
    @Nullable String change;
    @Nullable String desiredHash;
    @Nullable String appliedHash;
    long revision;
    @Nullable String jobId;
    @Nullable String savepoint;
    @Nullable OwnKeys undo;
    @Nullable Rejection rejected;
    @Nullable String handledRetry;
    @Nullable String handledReject;
    @Nullable CountedFrom counting;
    @Nullable Instant lastFinished;
    @Nullable String sources;
    @Nullable Integer jobFormat;
    List<Ended> history;

    private Edit(TargetRecord from) {
      name = from.name;
      uid = from.uid;
      state = from.state;
      notice = from.notice;
      since = from.since;
      change = from.change;
      desiredHash = from.desiredHash;
      appliedHash = from.appliedHash;
      revision = from.revision;
      jobId = from.jobId;
      savepoint = from.savepoint;
      undo = from.undo;
      rejected = from.rejected;
      handledRetry = from.handledRetry;
      handledReject = from.handledReject;
      counting = from.counting;
      lastFinished = from.lastFinished;
      sources = from.sources;
      jobFormat = from.jobFormat;
      history = from.history;
    }

    private TargetRecord record() {
      return new TargetRecord(
          name,
          uid,
          state,
          notice,
          since,
          change,
          desiredHash,
          appliedHash,
          revision,
          jobId,
          savepoint,
          undo,
          rejected,
          handledRetry,
          handledReject,
          counting,
          lastFinished,
          sources,
          jobFormat,
          history);
    }
  }
}
