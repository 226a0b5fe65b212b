package io.tidekeeper.sandbox.operator;

/** Ends the operator in the n-th thing it does to the world, before or after its effect. */
final class Killer {
  private final int at;
  private final boolean before;
  private int calls;

  Killer(int at, boolean before) {
    this.at = at;
    this.before = before;
  }

  /** Does something to the world, unless this is the end. */
  void around(Runnable effect) {
    calls++;
    if (calls == at && before) {
      throw new Killed();
    }
    effect.run();
    if (calls == at) {
      throw new Killed();
    }
  }

  /** Whether it has struck. */
  boolean hasStruck() {
    return calls >= at;
  }

  /** Nobody catches this. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1L;

    Killed() {
      super("killed");
    }
  }
}
