package io.tidekeeper.controller.rollout;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the rollout of a policy to a target stands. A resting state waits for something that may
 * never come; a moving one has a deadline.
 */
public sealed interface RolloutState {

  /** Its name in the status. */
  default String name() {
    return getClass().getSimpleName();
  }

  /** The states it may be followed by; it may always stay. */
  Set<Class<? extends RolloutState>> successors();

  /** What a person is told about it. */
  String meaning();

  /** When it ends at the latest, or null when it rests. */
  default @Nullable Instant deadline() {
    return null;
  }

  /** Nothing is under way. */
  sealed interface Resting extends RolloutState {}

  /** A change is under way. */
  sealed interface Moving extends RolloutState {

    /** The change. */
    Flight flight();

    /** The same state with another reading of the change. */
    Moving with(Flight flight);

    @Override
    default Instant deadline() {
      return flight().deadline();
    }
  }

  /** A change is being taken back. */
  sealed interface WayBack extends Moving {}

  /** Nothing may or need be done; the notice says what opens it. */
  record Waiting() implements Resting {
    @Override
    public Set<Class<? extends RolloutState>> successors() {
      return Set.of(InSync.class, Rejected.class, Preparing.class, Saving.class, RollingBack.class);
    }

    @Override
    public String meaning() {
      return "The change waits; the reason says for what.";
    }
  }

  /** The newest settings run. */
  record InSync() implements Resting {
    @Override
    public Set<Class<? extends RolloutState>> successors() {
      return Set.of(
          Waiting.class, Rejected.class, Preparing.class, Saving.class, RollingBack.class);
    }

    @Override
    public String meaning() {
      return "The newest settings run.";
    }
  }

  /** The last change was taken back and is not tried again by itself. */
  record Rejected() implements Resting {
    @Override
    public Set<Class<? extends RolloutState>> successors() {
      return Set.of(Waiting.class, InSync.class, Preparing.class, Saving.class, RollingBack.class);
    }

    @Override
    public String meaning() {
      return "The change was taken back; the former settings run.";
    }
  }

  /** The controller does not know how to go on without losing something. */
  record Stalled() implements Resting {
    @Override
    public Set<Class<? extends RolloutState>> successors() {
      return Set.of(
          Waiting.class, InSync.class, Rejected.class, Preparing.class, RollingBack.class);
    }

    @Override
    public String meaning() {
      return "Somebody must look at the target.";
    }
  }

  /** The change is decided and about to be written. */
  record Preparing(Flight flight) implements Moving {
    @Override
    public Preparing with(Flight newFlight) {
      return new Preparing(newFlight);
    }

    @Override
    public Set<Class<? extends RolloutState>> successors() {
      return Set.of(Waiting.class, Saving.class);
    }

    @Override
    public String meaning() {
      return "The change is about to be written to the target.";
    }
  }

  /** The change is written; the operator has not stopped the job with a savepoint yet. */
  record Saving(Flight flight) implements Moving {
    @Override
    public Saving with(Flight newFlight) {
      return new Saving(newFlight);
    }

    @Override
    public Set<Class<? extends RolloutState>> successors() {
      return Set.of(Waiting.class, Upgrading.class, Withdrawing.class, Stalled.class);
    }

    @Override
    public String meaning() {
      return "The operator takes the change over; where a job runs, it stops it with a savepoint.";
    }
  }

  /** The operator has taken the change over; the job has not been healthy yet. */
  record Upgrading(Flight flight) implements Moving {
    @Override
    public Upgrading with(Flight newFlight) {
      return new Upgrading(newFlight);
    }

    @Override
    public Set<Class<? extends RolloutState>> successors() {
      return Set.of(Waiting.class, Verifying.class, RollingBack.class, Stalled.class);
    }

    @Override
    public String meaning() {
      return "The job starts on the new settings.";
    }
  }

  /** The job runs on the new settings and must stay healthy. */
  record Verifying(Flight flight) implements Moving {
    @Override
    public Verifying with(Flight newFlight) {
      return new Verifying(newFlight);
    }

    @Override
    public Set<Class<? extends RolloutState>> successors() {
      return Set.of(Waiting.class, InSync.class, RollingBack.class, Stalled.class);
    }

    @Override
    public String meaning() {
      return "The job runs on the new settings and proves itself.";
    }
  }

  /** No job was submitted with the new settings: the former options come back byte for byte. */
  record Withdrawing(Flight flight) implements WayBack {
    @Override
    public Withdrawing with(Flight newFlight) {
      return new Withdrawing(newFlight);
    }

    @Override
    public Set<Class<? extends RolloutState>> successors() {
      return Set.of(Waiting.class, Rejected.class, RollingBack.class, Stalled.class);
    }

    @Override
    public String meaning() {
      return "The change is withdrawn before it took effect.";
    }
  }

  /** A job was or may have been submitted: the former settings come back under a new number. */
  record RollingBack(Flight flight) implements WayBack {
    @Override
    public RollingBack with(Flight newFlight) {
      return new RollingBack(newFlight);
    }

    @Override
    public Set<Class<? extends RolloutState>> successors() {
      return Set.of(Waiting.class, Rejected.class, Stalled.class);
    }

    @Override
    public String meaning() {
      return "The former settings are brought back.";
    }
  }
}
