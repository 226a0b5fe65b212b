package io.tidekeeper.controller.rollout;

import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A change under way.
 *
 * @param change its id
 * @param desiredHash the settings it brings
 * @param revision the number the target is being given
 * @param previous what to go back to, or null when that is not known
 * @param startedAt when it began
 * @param before late records before it, or null when the job could not be asked
 * @param deadline when the current state ends at the latest
 * @param writtenGeneration the target's generation that our write made, or null before the write
 * @param heldSince since when it may not go on, or null
 * @param troubleSince since when the operator reports trouble without a break, or null
 * @param healthySince since when the job is healthy without a break, or null
 * @param baseline what the job said at {@code healthySince}, or null
 * @param cause why the change is taken back, or null while it goes forward
 */
public record Flight(
    String change,
    String desiredHash,
    long revision,
    @Nullable OwnKeys previous,
    Instant startedAt,
    @Nullable LateCount before,
    Instant deadline,
    @Nullable Long writtenGeneration,
    @Nullable Instant heldSince,
    @Nullable Instant troubleSince,
    @Nullable Instant healthySince,
    @Nullable Baseline baseline,
    @Nullable Notice cause) {

  /**
   * What the job said at its first healthy reading.
   *
   * @param restarts restarts until then
   * @param checkpoints completed checkpoints until then
   * @param late records until then, and late ones among them
   * @param watermark the lowest watermark then, or null
   */
  public record Baseline(
      long restarts, long checkpoints, LateCount late, @Nullable Long watermark) {}

  static Flight start(
      String change,
      String desiredHash,
      long revision,
      @Nullable OwnKeys previous,
      @Nullable LateCount before,
      Instant now,
      Instant deadline) {
    return new Flight(
        change,
        desiredHash,
        revision,
        previous,
        now,
        before,
        deadline,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  /** Enters the next state: its own deadline, and nothing of what was timed before. */
  Flight next(Instant newDeadline) {
    return with(
        edit -> {
          edit.deadline = newDeadline;
          edit.timesAnew();
        });
  }

  Flight written(long generation) {
    return with(edit -> edit.writtenGeneration = generation);
  }

  /** Turns back. */
  Flight back(Notice why, long newRevision, Instant newDeadline) {
    return with(
        edit -> {
          edit.cause = why;
          edit.revision = newRevision;
          edit.deadline = newDeadline;
          edit.writtenGeneration = null;
          edit.timesAnew();
        });
  }

  Flight held(Instant since) {
    return with(edit -> edit.heldSince = since);
  }

  /** Goes on: the time it was held does not count, and health is watched anew. */
  Flight released(Instant newDeadline) {
    return next(newDeadline);
  }

  Flight trouble(@Nullable Instant since) {
    return with(edit -> edit.troubleSince = since);
  }

  Flight healthy(@Nullable Instant since, @Nullable Baseline seen) {
    return with(
        edit -> {
          edit.healthySince = since;
          edit.baseline = seen;
        });
  }

  private Flight with(Consumer<Edit> change) {
    Edit edit = new Edit(this);
    change.accept(edit);
    return edit.flight();
  }

  /** What may change on the way. */
  private static final class Edit {

    private final Flight from;
    private long revision;
    private Instant deadline;
    private @Nullable Long writtenGeneration;
    private @Nullable Instant heldSince;
    private @Nullable Instant troubleSince;
    private @Nullable Instant healthySince;
    private @Nullable Baseline baseline;
    private @Nullable Notice cause;

    private Edit(Flight from) {
      this.from = from;
      revision = from.revision;
      deadline = from.deadline;
      writtenGeneration = from.writtenGeneration;
      heldSince = from.heldSince;
      troubleSince = from.troubleSince;
      healthySince = from.healthySince;
      baseline = from.baseline;
      cause = from.cause;
    }

    private void timesAnew() {
      heldSince = null;
      troubleSince = null;
      healthySince = null;
      baseline = null;
    }

    private Flight flight() {
      return new Flight(
          from.change,
          from.desiredHash,
          revision,
          from.previous,
          from.startedAt,
          from.before,
          deadline,
          writtenGeneration,
          heldSince,
          troubleSince,
          healthySince,
          baseline,
          cause);
    }
  }
}
