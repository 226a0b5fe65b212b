package io.tidekeeper.sandbox.operator;

import java.time.Duration;

/**
 * How long the operator and what it waits for take.
 *
 * @param jobManagerDown from the stopped job until its job manager is gone
 * @param jobManagerUp from the deployment until the job manager is there
 * @param restReady how long after that its REST API is asked first
 * @param lookAgain how often the job is looked at, and a failed savepoint tried again
 * @param settle how long, counted from the deployment, a starting job is not yet reported as one
 *     that waits for slots; not scaled, because the job itself starts no faster
 */
public record Delays(
    Duration jobManagerDown,
    Duration jobManagerUp,
    Duration restReady,
    Duration lookAgain,
    Duration settle) {

  /** Those of operator 1.15.0 with its default intervals, as recorded. */
  public static Delays recorded() {
    return new Delays(
        Duration.ofMillis(700),
        Duration.ofMillis(2_200),
        Duration.ofSeconds(10),
        Duration.ofSeconds(60),
        Duration.ofSeconds(15));
  }

  /** Ten times as fast, for demonstrations and tests. */
  public static Delays fast() {
    return recorded().scaled(0.1);
  }

  /** All of them times a factor, {@link #settle} apart. */
  public Delays scaled(double factor) {
    return new Delays(
        scaled(jobManagerDown, factor),
        scaled(jobManagerUp, factor),
        scaled(restReady, factor),
        scaled(lookAgain, factor),
        settle);
  }

  /** How long to wait before a move. */
  Duration before(Move move) {
    if (move instanceof Move.DropJobManager) {
      return jobManagerDown;
    }
    if (move instanceof Move.Start) {
      return jobManagerUp;
    }
    if (move instanceof Move.FirstLook) {
      return restReady;
    }
    if (move instanceof Move.Look) {
      return lookAgain;
    }
    if (move instanceof Move.ClearError clear && clear.isRetry()) {
      return lookAgain;
    }
    return Duration.ZERO;
  }

  private static Duration scaled(Duration duration, double factor) {
    return Duration.ofNanos((long) (duration.toNanos() * factor));
  }
}
