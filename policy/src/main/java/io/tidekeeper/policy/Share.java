package io.tidekeeper.policy;

import java.io.Serializable;
import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A share of records, written {@code 1%} or {@code 0.05%}: at most four decimals.
 *
 * @param partsPerMillion 0 to 1,000,000
 */
public record Share(int partsPerMillion) implements Comparable<Share>, Serializable {

  private static final Pattern SPELLING = Pattern.compile("([0-9]{1,3}(?:\\.[0-9]{1,4})?)%");
  private static final int ALL = 1_000_000;
  private static final int DECIMALS = 4;

  /**
   * @throws IllegalArgumentException if it is not between nothing and all
   */
  public Share {
    if (partsPerMillion < 0 || partsPerMillion > ALL) {
      throw new IllegalArgumentException("a share is from 0% to 100%, not " + partsPerMillion);
    }
  }

  /**
   * Reads a share; surrounding white space is ignored.
   *
   * @throws IllegalArgumentException if the text is not a percent string from 0% to 100%; the
   *     message says what is allowed
   */
  public static Share parse(String text) {
    Matcher matcher = SPELLING.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "not a share: write a number with up to four decimals and a percent sign, like 1% or"
              + " 0.05%");
    }
    int parts = new BigDecimal(matcher.group(1)).movePointRight(DECIMALS).intValueExact();
    if (parts > ALL) {
      throw new IllegalArgumentException("a share above 100%");
    }
    return new Share(parts);
  }

  /** The share as a number from 0 to 1. */
  public double asFraction() {
    return partsPerMillion / (double) ALL;
  }

  /** The number of percent. */
  BigDecimal percent() {
    return BigDecimal.valueOf(partsPerMillion, DECIMALS).stripTrailingZeros();
  }

  @Override
  public int compareTo(Share other) {
    return Integer.compare(partsPerMillion, other.partsPerMillion);
  }

  /** The one canonical spelling, without needless zeros: {@code 0.05%}. */
  @Override
  public String toString() {
    return percent().toPlainString() + "%";
  }
}
