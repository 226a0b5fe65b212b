package io.tidekeeper.crds;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A share, written {@code 1%} or {@code 0.05%}.
 *
 * @param percent 0 to 100
 */
public record Percent(BigDecimal percent) implements Comparable<Percent> {

  private static final Pattern SPELLING = Pattern.compile("([0-9]{1,3}(?:\\.[0-9]{1,4})?)%");
  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

  /**
   * @throws IllegalArgumentException if it is not between 0 and 100
   */
  public Percent {
    if (percent.signum() < 0 || percent.compareTo(HUNDRED) > 0) {
      throw new IllegalArgumentException("a share is from 0% to 100%, not " + percent + "%");
    }
    percent = percent.stripTrailingZeros();
  }

  /**
   * Reads a share.
   *
   * @throws IllegalArgumentException if the text is not a percent string
   */
  public static Percent parse(String text) {
    Matcher matcher = SPELLING.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not a share; write it like 1% or 0.05%");
    }
    return new Percent(new BigDecimal(matcher.group(1)));
  }

  /** Whether {@code part} of {@code whole} is more than this share; never of nothing. */
  public boolean isBelow(long part, long whole) {
    return whole > 0
        && BigDecimal.valueOf(part)
                .multiply(HUNDRED)
                .compareTo(percent.multiply(BigDecimal.valueOf(whole)))
            > 0;
  }

  @Override
  public int compareTo(Percent other) {
    return percent.compareTo(other.percent);
  }

  @Override
  public String toString() {
    return percent.toPlainString() + "%";
  }
}
