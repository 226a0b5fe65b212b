package io.tidekeeper.policy.watermark;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Tells when a partition has been silent for its idle timeout.
 *
 * <p>Time is that of an activity clock: it stands still while the input is paused or blocked, so
 * that a partition which is not allowed to speak is not taken for silent.
 */
public final class IdleTimer {

  private long timeoutNanos;
  private boolean started;
  private boolean idle;
  private long lastCount;
  private long silentSince;

  /**
   * @param timeout how long a partition may be silent, or null: it is never idle
   */
  public IdleTimer(@Nullable Duration timeout) {
    this.timeoutNanos = nanosOf(timeout);
  }

  /**
   * Another timeout from now on. The silence so far counts: a partition that has been silent for
   * longer than the new timeout is idle. One that is idle stays so until it speaks.
   *
   * @param timeout how long a partition may be silent, or null: it is never idle
   */
  public void timeout(@Nullable Duration timeout) {
    timeoutNanos = nanosOf(timeout);
  }

  private static long nanosOf(@Nullable Duration timeout) {
    return timeout == null ? Long.MAX_VALUE : timeout.toNanos();
  }

  /**
   * Whether the partition is idle. A partition that never spoke is silent since the first call.
   *
   * @param activityCount a number that changes with every record, like {@link
   *     PartitionTracker#records}
   * @param activityClockNanos the activity clock, from any origin
   */
  public boolean isIdle(long activityCount, long activityClockNanos) {
    if (!started || activityCount != lastCount) {
      started = true;
      lastCount = activityCount;
      silentSince = activityClockNanos;
      idle = false;
    } else if (timeoutNanos != Long.MAX_VALUE && activityClockNanos - silentSince >= timeoutNanos) {
      idle = true;
    }
    return idle;
  }
}
