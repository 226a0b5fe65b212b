package io.tidekeeper.policy;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Objects;

/**
 * A quantile of the lateness observed lately, times a factor, within limits.
 *
 * <p>Lateness is measured per partition against its newest record; one distribution is kept for all
 * partitions a subtask reads. Until enough records were seen the upper limit holds.
 *
 * @param level which quantile, 50% to 99.99%
 * @param factor what the quantile is multiplied by, 0.1 to 100 with up to three decimals
 * @param min lower limit, 0s to 7 days, not above {@code max}
 * @param max upper limit, 0s to 7 days
 * @param window the stretch of event time that is looked back on, 1s to 7 days
 * @param minSamples how many records the window must hold, 1 to 1,000,000
 */
public record Quantile(
    Share level, BigDecimal factor, Duration min, Duration max, Duration window, int minSamples)
    implements OutOfOrderness {

  /**
   * @throws IllegalArgumentException if a value is out of range or {@code min} is above {@code max}
   */
  public Quantile {
    PolicyOption.QUANTILE_LEVEL.require(level.percent());
    PolicyOption.QUANTILE_FACTOR.require(factor);
    factor = factor.stripTrailingZeros();
    PolicyOption.QUANTILE_MIN.require(min);
    PolicyOption.QUANTILE_MAX.require(max);
    PolicyOption.QUANTILE_WINDOW.require(window);
    PolicyOption.QUANTILE_MIN_SAMPLES.require(BigDecimal.valueOf(minSamples));
    Limits.require(PolicyOption.QUANTILE_MIN, min, PolicyOption.QUANTILE_MAX, max);
    Objects.requireNonNull(level);
  }

  @Override
  public String typeName() {
    return "Quantile";
  }
}
