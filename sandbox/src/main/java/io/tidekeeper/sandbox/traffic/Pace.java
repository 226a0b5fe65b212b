package io.tidekeeper.sandbox.traffic;

/**
 * The clock of a plan. It goes with the wall clock, but when nobody has looked at it for longer
 * than a step, as after a stall of the machine, it goes on from where it was: what was missed is
 * not sent in a burst, the plan just takes longer.
 */
final class Pace {
  /** The longest time the clock moves between two looks: the most that is ever sent at once. */
  static final long MAX_STEP_NANOS = 200_000_000;

  private long lastLook;
  private long planNanos;
  private long stalledNanos;

  Pace(long nanoTime) {
    this.lastLook = nanoTime;
  }

  /** Looks at the clock and returns the plan's time in nanoseconds. */
  long look(long nanoTime) {
    long passed = nanoTime - lastLook;
    long step = Math.min(passed, MAX_STEP_NANOS);
    lastLook = nanoTime;
    planNanos += step;
    stalledNanos += passed - step;
    return planNanos;
  }

  /** How much longer than planned it takes so far, in nanoseconds. */
  long stalledNanos() {
    return stalledNanos;
  }
}
