package io.tidekeeper.sandbox.traffic;

import java.time.Duration;

/** How one partition behaves during a phase. Durations are event time unless they say otherwise. */
public sealed interface Behaviour {

  /** How far records may lie behind the front of their partition's event time. */
  Disorder disorder();

  /**
   * How far the partition's front lies behind the traffic's.
   *
   * @param share how much of the phase has passed, 0 to 1
   * @return milliseconds, not negative
   */
  double lagMillis(double share);

  /** The partition goes along with the traffic. */
  static Behaviour level(Disorder disorder) {
    return new Level(disorder);
  }

  /** The partition falls behind by so much, stays there, and has caught up before the end. */
  static Behaviour behind(Disorder disorder, Duration lag) {
    return new Behind(disorder, lag);
  }

  /** The partition sends nothing. */
  static Behaviour silent() {
    return new Silent();
  }

  /** See {@link Behaviour#level}. */
  record Level(Disorder disorder) implements Behaviour {
    @Override
    public double lagMillis(double share) {
      return 0;
    }
  }

  /** See {@link Behaviour#behind}: two thirds of the phase falling, a fifth catching up. */
  record Behind(Disorder disorder, Duration lag) implements Behaviour {
    static final double FALLEN = 2.0 / 3;
    private static final double CATCHING_UP = 0.77;
    private static final double LEVEL_AGAIN = 0.97;

    @Override
    public double lagMillis(double share) {
      double part;
      if (share < FALLEN) {
        part = share / FALLEN;
      } else if (share < CATCHING_UP) {
        part = 1;
      } else {
        part = Math.max(0, (LEVEL_AGAIN - share) / (LEVEL_AGAIN - CATCHING_UP));
      }
      return part * lag.toMillis();
    }
  }

  /** See {@link Behaviour#silent}. */
  record Silent() implements Behaviour {
    @Override
    public Disorder disorder() {
      return Disorder.NONE;
    }

    @Override
    public double lagMillis(double share) {
      return 0;
    }
  }
}
