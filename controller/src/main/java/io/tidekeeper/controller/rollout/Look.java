package io.tidekeeper.controller.rollout;

import io.tidekeeper.controller.flink.FlinkDeployment;
import io.tidekeeper.controller.rollout.JobReading.SourceSubtask;
import io.tidekeeper.controller.rollout.RolloutState.Moving;
import io.tidekeeper.controller.rollout.RolloutState.Verifying;
import io.tidekeeper.controller.rollout.TargetRecord.CountedFrom;
import io.tidekeeper.controller.rollout.TargetRecord.Ended;
import io.tidekeeper.controller.rollout.TargetRecord.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One look at a target that exists: what was seen, and the ways to answer. */
final class Look {

  /** How often a change under way is looked at when nothing calls for it earlier. */
  static final Duration POLL = Duration.ofSeconds(5);

  /**
   * How often a job is asked from the moment on when only its own word is missing. Flink collects
   * metrics when it is asked for them, so after a silence the first answer is empty.
   */
  static final Duration LISTEN = Duration.ofSeconds(1);

  /** How often a resting target is. */
  static final Duration REST = Duration.ofMinutes(1);

  final Observation seen;
  final FlinkDeployment target;
  final TargetRecord record;
  final Instant now;
  final OwnKeys live;
  final Gates gates;
  final Health health;

  Look(Observation seen, FlinkDeployment target, TargetRecord record, Instant now) {
    this.seen = seen;
    this.target = target;
    this.record = record;
    this.now = now;
    this.live = OwnKeys.in(target.configuration());
    this.gates = new Gates(seen, target, now);
    this.health = new Health(target, seen.job(), seen.unheard(), record.sources());
  }

  /** The same state with this notice: nothing to do, unless the record changes. */
  Action stay(RolloutState state, Notice notice) {
    return settle(record.to(state, notice, now));
  }

  /** Remembers a record when it says something new, else waits. */
  Action settle(TargetRecord next) {
    return next.equals(seen.record()) ? new Action.Wait(patience(next)) : remember(next);
  }

  Action remember(TargetRecord next) {
    return new Action.Remember(next);
  }

  private Duration patience(TargetRecord next) {
    RolloutState state = next.state();
    if (!(state instanceof Moving moving)) {
      return mayAnswerSoon(next) ? POLL : REST;
    }
    Flight flight = moving.flight();
    Instant again = now.plus(onlyTheJobIsMissing(flight) ? LISTEN : POLL);
    again = earlier(again, flight.deadline());
    Instant since = flight.healthySince();
    if (state instanceof Verifying && since != null) {
      again = earlier(again, since.plus(seen.policy().rollout().healthyFor()));
    }
    return Duration.between(now, again);
  }

  /** A job that was not asked for long gives its first answer to the second question. */
  private boolean mayAnswerSoon(TargetRecord next) {
    return next.notice().reason() == Reason.JobUnreachable && now.isBefore(next.since().plus(REST));
  }

  private boolean onlyTheJobIsMissing(Flight flight) {
    return flight.healthySince() == null
        && flight.heldSince() == null
        && health.missingInOperator(live) == null;
  }

  /** The earlier of the two; what is past does not count. */
  private Instant earlier(Instant one, Instant other) {
    return other.isAfter(now) && other.isBefore(one) ? other : one;
  }

  /**
   * Holds a change, or lets one go on that was held; null when it is free to go. The time it was
   * held does not count against its deadline.
   */
  @Nullable Action held(Moving state, @Nullable Notice hold) {
    Flight flight = state.flight();
    Instant since = flight.heldSince();
    if (hold != null) {
      return stay(since == null ? state.with(flight.held(now)) : state, hold);
    }
    if (since != null) {
      Instant deadline = flight.deadline().plus(Duration.between(since, now));
      return remember(record.to(state.with(flight.released(deadline)), record.notice(), now));
    }
    return null;
  }

  /** Late records before a change: since the job was proven, else since it started. */
  @Nullable LateCount lateSoFar() {
    JobReading job = seen.job();
    CountedFrom from = record.counting();
    if (job == null || from == null) {
      return job == null ? null : job.late();
    }
    boolean same =
        Objects.equals(from.jobId(), target.operator().jobId())
            && from.restarts() == job.restarts();
    return same ? job.late().since(from.late()) : job.late();
  }

  /** From where the job is to be counted when the next change comes. */
  @Nullable CountedFrom countedFrom(Flight.@Nullable Baseline baseline) {
    return baseline == null
        ? null
        : new CountedFrom(target.operator().jobId(), baseline.restarts(), baseline.late());
  }

  /** What the job says now, or null when it says nothing. */
  Flight.@Nullable Baseline baseline() {
    JobReading job = seen.job();
    return job == null
        ? null
        : new Flight.Baseline(job.restarts(), job.checkpoints(), job.late(), job.lowestWatermark());
  }

  /** Whether the deadline of a change has passed. */
  boolean late(Flight flight) {
    return !now.isBefore(flight.deadline());
  }

  /** The record with a change that has ended. */
  TargetRecord ended(Flight flight, Outcome outcome, Notice why) {
    return record.ended(
        new Ended(
            flight.change(),
            outcome,
            why,
            flight.desiredHash(),
            flight.revision(),
            target.operator().savepoint(),
            flight.startedAt(),
            now));
  }

  /** A number above every one that was ever seen, and above any a lost record may have held. */
  long nextRevision() {
    long highest = Math.max(now.toEpochMilli(), Math.max(live.revision(), record.revision()));
    if (target.operator().reconciled() != null) {
      OwnKeys reconciled = OwnKeys.in(target.operator().reconciled().configuration());
      highest = Math.max(highest, reconciled.revision());
    }
    if (seen.job() != null) {
      for (SourceSubtask subtask : seen.job().subtasks()) {
        Long revision = subtask.revision();
        highest = Math.max(highest, revision == null ? 0 : revision);
      }
    }
    return highest + 1;
  }
}
