package io.tidekeeper.controller.rollout;

import java.time.Instant;
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
   * @param records records until then
   * @param watermark the lowest watermark then, or null
   */
  public record Baseline(long restarts, long checkpoints, long records, @Nullable Long watermark) {}

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
    return new Flight(
        change,
        desiredHash,
        revision,
        previous,
        startedAt,
        before,
        newDeadline,
        writtenGeneration,
        null,
        null,
        null,
        null,
        cause);
  }

  Flight written(long generation) {
    return new Flight(
        change,
        desiredHash,
        revision,
        previous,
        startedAt,
        before,
        deadline,
        generation,
        heldSince,
        troubleSince,
        healthySince,
        baseline,
        cause);
  }

  /** Turns back. */
  Flight back(Notice why, long newRevision, Instant newDeadline) {
    return new Flight(
        change,
        desiredHash,
        newRevision,
        previous,
        startedAt,
        before,
        newDeadline,
        null,
        null,
        null,
        null,
        null,
        why);
  }

  Flight held(Instant since) {
    return new Flight(
        change,
        desiredHash,
        revision,
        previous,
        startedAt,
        before,
        deadline,
        writtenGeneration,
        since,
        troubleSince,
        healthySince,
        baseline,
        cause);
  }

  /** Goes on: the time it was held does not count, and health is watched anew. */
  Flight released(Instant newDeadline) {
    return new Flight(
        change,
        desiredHash,
        revision,
        previous,
        startedAt,
        before,
        newDeadline,
        writtenGeneration,
        null,
        null,
        null,
        null,
        cause);
  }

  Flight trouble(@Nullable Instant since) {
    return new Flight(
        change,
        desiredHash,
        revision,
        previous,
        startedAt,
        before,
        deadline,
        writtenGeneration,
        heldSince,
        since,
        healthySince,
        baseline,
        cause);
  }

  Flight healthy(@Nullable Instant since, @Nullable Baseline seen) {
    return new Flight(
        change,
        desiredHash,
        revision,
        previous,
        startedAt,
        before,
        deadline,
        writtenGeneration,
        heldSince,
        troubleSince,
        since,
        seen,
        cause);
  }
}
