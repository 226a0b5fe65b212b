package io.tidekeeper.controller.rollout;

import io.tidekeeper.controller.rollout.RolloutState.Moving;
import io.tidekeeper.controller.rollout.TargetRecord.CountedFrom;
import io.tidekeeper.controller.rollout.TargetRecord.Ended;
import io.tidekeeper.controller.rollout.TargetRecord.Outcome;
import io.tidekeeper.controller.rollout.TargetRecord.Rejection;
import io.tidekeeper.crds.CountingStatus;
import io.tidekeeper.crds.HistoryEntry;
import io.tidekeeper.crds.PolicyCondition;
import io.tidekeeper.crds.ReasonStatus;
import io.tidekeeper.crds.RolloutProgress;
import io.tidekeeper.crds.TargetStatus;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Records as they stand in the status of a policy. What is read back equals what was written; a
 * status that makes no sense reads as a target nobody has looked at, which is safe: its options are
 * then found on the target itself.
 */
public final class TargetRecordCodec {

  private static final Map<String, Function<Flight, RolloutState>> MOVING =
      Map.of(
          "Preparing", RolloutState.Preparing::new,
          "Saving", RolloutState.Saving::new,
          "Upgrading", RolloutState.Upgrading::new,
          "Verifying", RolloutState.Verifying::new,
          "Withdrawing", RolloutState.Withdrawing::new,
          "RollingBack", RolloutState.RollingBack::new);
  private static final Map<String, RolloutState> RESTING =
      Map.of(
          "Waiting", new RolloutState.Waiting(),
          "InSync", new RolloutState.InSync(),
          "Rejected", new RolloutState.Rejected(),
          "Stalled", new RolloutState.Stalled());

  private TargetRecordCodec() {}

  /** Writes a record, with the conditions of the target. */
  public static TargetStatus write(TargetRecord record, List<PolicyCondition> conditions) {
    Flight flight = record.state() instanceof Moving moving ? moving.flight() : null;
    Rejection rejected = record.rejected();
    return new TargetStatus(
        record.name(),
        record.uid(),
        record.jobId(),
        record.state().name(),
        record.notice().reason().name(),
        record.notice().message(),
        record.since().toString(),
        record.change(),
        record.desiredHash(),
        record.appliedHash(),
        record.revision(),
        flight == null ? null : options(flight.previous()),
        flight == null ? null : flight.writtenGeneration(),
        record.savepoint(),
        flight == null ? null : flight.deadline().toString(),
        flight == null ? null : progress(flight),
        options(record.undo()),
        rejected == null ? null : rejected.change(),
        rejected == null ? null : reason(rejected.cause()),
        record.handledRetry(),
        record.handledReject(),
        counting(record.counting()),
        text(record.lastFinished()),
        record.sources(),
        record.jobFormat(),
        conditions,
        record.history().stream().map(TargetRecordCodec::entry).toList());
  }

  /** Reads a record. */
  public static TargetRecord read(TargetStatus status, Instant now) {
    try {
      return read(status);
    } catch (DateTimeException | IllegalArgumentException | NullPointerException e) {
      return TargetRecord.fresh(status.name(), now);
    }
  }

  private static TargetRecord read(TargetStatus status) {
    RolloutProgress progress = status.progress();
    String state = required(status.state());
    Function<Flight, RolloutState> moving = MOVING.get(state);
    RolloutState read =
        moving == null ? RESTING.get(state) : moving.apply(flight(status, required(progress)));
    String rejected = status.rejectedChange();
    return new TargetRecord(
        status.name(),
        status.uid(),
        required(read),
        new Notice(Reason.valueOf(required(status.reason())), required(status.message())),
        Instant.parse(required(status.since())),
        status.change(),
        status.desiredHash(),
        status.appliedHash(),
        status.revision() == null ? 0 : status.revision(),
        status.jobId(),
        status.savepoint(),
        keys(status.undo()),
        rejected == null ? null : new Rejection(rejected, notice(required(status.rejection()))),
        status.handledRetry(),
        status.handledReject(),
        counting(status.counting()),
        instant(status.lastFinished()),
        status.sources(),
        status.jobFormat(),
        status.history().stream().map(TargetRecordCodec::ended).toList());
  }

  private static RolloutProgress progress(Flight flight) {
    Flight.Baseline baseline = flight.baseline();
    LateCount before = flight.before();
    Notice cause = flight.cause();
    return new RolloutProgress(
        flight.startedAt().toString(),
        text(flight.heldSince()),
        text(flight.troubleSince()),
        text(flight.healthySince()),
        cause == null ? null : reason(cause),
        before == null ? null : before.records(),
        before == null ? null : before.late(),
        baseline == null ? null : baseline.restarts(),
        baseline == null ? null : baseline.checkpoints(),
        baseline == null ? null : baseline.late().records(),
        baseline == null ? null : baseline.late().late(),
        baseline == null ? null : baseline.watermark());
  }

  private static Flight flight(TargetStatus status, RolloutProgress progress) {
    Long records = progress.recordsBefore();
    Long restarts = progress.restarts();
    return new Flight(
        required(status.change()),
        required(status.desiredHash()),
        required(status.revision()),
        keys(status.previous()),
        Instant.parse(required(progress.startedAt())),
        records == null ? null : new LateCount(records, required(progress.lateBefore())),
        Instant.parse(required(status.deadline())),
        status.writtenGeneration(),
        instant(progress.heldSince()),
        instant(progress.troubleSince()),
        instant(progress.healthySince()),
        restarts == null
            ? null
            : new Flight.Baseline(
                restarts,
                required(progress.checkpoints()),
                new LateCount(required(progress.records()), required(progress.late())),
                progress.watermark()),
        progress.cause() == null ? null : notice(progress.cause()));
  }

  private static @Nullable CountingStatus counting(@Nullable CountedFrom from) {
    return from == null
        ? null
        : new CountingStatus(
            from.jobId(), from.restarts(), from.late().records(), from.late().late());
  }

  private static @Nullable CountedFrom counting(@Nullable CountingStatus status) {
    return status == null
        ? null
        : new CountedFrom(
            status.jobId(),
            required(status.restarts()),
            new LateCount(required(status.records()), required(status.late())));
  }

  private static HistoryEntry entry(Ended ended) {
    return new HistoryEntry(
        ended.change(),
        ended.outcome().name(),
        ended.why().reason().name(),
        ended.why().message(),
        ended.hash(),
        ended.revision(),
        ended.savepoint(),
        ended.startedAt().toString(),
        ended.finishedAt().toString());
  }

  private static Ended ended(HistoryEntry entry) {
    return new Ended(
        entry.change(),
        Outcome.valueOf(entry.outcome()),
        new Notice(Reason.valueOf(entry.reason()), required(entry.message())),
        required(entry.hash()),
        required(entry.revision()),
        entry.savepoint(),
        Instant.parse(required(entry.startedAt())),
        Instant.parse(entry.finishedAt()));
  }

  private static ReasonStatus reason(Notice notice) {
    return new ReasonStatus(notice.reason().name(), notice.message());
  }

  private static Notice notice(ReasonStatus status) {
    return new Notice(Reason.valueOf(status.reason()), status.message());
  }

  private static @Nullable Map<String, String> options(@Nullable OwnKeys keys) {
    return keys == null ? null : keys.options();
  }

  private static @Nullable OwnKeys keys(@Nullable Map<String, String> options) {
    return options == null ? null : new OwnKeys(new TreeMap<>(options));
  }

  private static @Nullable String text(@Nullable Instant instant) {
    return instant == null ? null : instant.toString();
  }

  private static @Nullable Instant instant(@Nullable String text) {
    return text == null ? null : Instant.parse(text);
  }

  private static <T> T required(@Nullable T value) {
    if (value == null) {
      throw new IllegalArgumentException("the status is not complete");
    }
    return value;
  }
}
