package io.tidekeeper.policy.watermark;

/** Arithmetic on milliseconds that stops at the ends of the range instead of wrapping around. */
public final class Millis {

  private Millis() {}

  /** {@code time - distance} for a distance of 0 or more. */
  static long minus(long time, long distance) {
    return time < Long.MIN_VALUE + distance ? Long.MIN_VALUE : time - distance;
  }

  /** {@code time + distance} for a distance of 0 or more. */
  public static long plus(long time, long distance) {
    return time > Long.MAX_VALUE - distance ? Long.MAX_VALUE : time + distance;
  }

  /** {@code later - earlier} where {@code later} is not before {@code earlier}. */
  static long between(long earlier, long later) {
    long distance = later - earlier;
    return distance < 0 ? Long.MAX_VALUE : distance;
  }

  /** How far {@code time} is behind {@code now}; 0 when it is not. */
  public static long behind(long time, long now) {
    return time >= now ? 0 : between(time, now);
  }

  static long ofSeconds(long seconds) {
    if (seconds > Long.MAX_VALUE / 1000) {
      return Long.MAX_VALUE;
    }
    return seconds < Long.MIN_VALUE / 1000 ? Long.MIN_VALUE : seconds * 1000;
  }
}
