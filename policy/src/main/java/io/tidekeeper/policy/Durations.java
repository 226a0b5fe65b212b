package io.tidekeeper.policy;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The spelling of durations in policies and options: {@code 200ms}, {@code 5s}, {@code 1m30s},
 * {@code 1h}.
 *
 * <p>Units are {@code h}, {@code m}, {@code s} and {@code ms}, each at most once and in this order.
 * Every value is a whole number of milliseconds from {@code 0s} to {@link #MAX} (365 days).
 */
public final class Durations {

  /** The longest duration that can be written: 365 days, {@code 8760h}. */
  public static final Duration MAX = Duration.ofDays(365);

  private static final Pattern SPELLING =
      Pattern.compile("(?:(\\d+)h)?(?:(\\d+)m(?!s))?(?:(\\d+)s)?(?:(\\d+)ms)?");
  private static final long[] UNIT_MILLIS = {3_600_000, 60_000, 1_000, 1};
  private static final String[] UNIT_NAMES = {"h", "m", "s", "ms"};

  // Twelve digits of the largest unit still fit into a long of milliseconds, so no sum overflows.
  private static final int MAX_DIGITS = 12;

  private Durations() {}

  /**
   * Reads a duration; surrounding white space is ignored.
   *
   * @throws IllegalArgumentException if the text is not a duration or is longer than {@link #MAX};
   *     the message says what is allowed
   */
  public static Duration parse(String text) {
    String spelling = text.strip();
    Matcher matcher = SPELLING.matcher(spelling);
    if (spelling.isEmpty() || !matcher.matches()) {
      throw new IllegalArgumentException(
          "not a duration: write hours, minutes, seconds and milliseconds in this order, each at"
              + " most once, like 1m30s or 200ms");
    }
    long millis = 0;
    for (int unit = 0; unit < UNIT_MILLIS.length; unit++) {
      String digits = matcher.group(unit + 1);
      if (digits == null) {
        continue;
      }
      if (digits.length() > MAX_DIGITS) {
        throw tooLong();
      }
      millis += Long.parseLong(digits) * UNIT_MILLIS[unit];
    }
    if (millis > MAX.toMillis()) {
      throw tooLong();
    }
    return Duration.ofMillis(millis);
  }

  /**
   * The one canonical spelling of a duration, largest units first: 90 seconds are {@code 1m30s},
   * nothing is {@code 0s}.
   *
   * @throws IllegalArgumentException if the duration is negative, longer than {@link #MAX} or not a
   *     whole number of milliseconds
   */
  public static String format(Duration duration) {
    if (duration.isNegative() || duration.compareTo(MAX) > 0) {
      throw new IllegalArgumentException(duration + " is not between 0s and 8760h");
    }
    if (!isWholeMillis(duration)) {
      throw new IllegalArgumentException(duration + " is not a whole number of milliseconds");
    }
    long rest = duration.toMillis();
    if (rest == 0) {
      return "0s";
    }
    StringBuilder text = new StringBuilder();
    for (int unit = 0; unit < UNIT_MILLIS.length; unit++) {
      long count = rest / UNIT_MILLIS[unit];
      rest %= UNIT_MILLIS[unit];
      if (count > 0) {
        text.append(count).append(UNIT_NAMES[unit]);
      }
    }
    return text.toString();
  }

  static boolean isWholeMillis(Duration duration) {
    return duration.truncatedTo(ChronoUnit.MILLIS).equals(duration);
  }

  private static IllegalArgumentException tooLong() {
    return new IllegalArgumentException("longer than the longest duration, 8760h");
  }
}
