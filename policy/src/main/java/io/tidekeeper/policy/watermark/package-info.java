/**
 * From timestamps to watermarks, one partition at a time and without any framework: {@link
 * io.tidekeeper.policy.watermark.PartitionTracker} follows the records of a partition, {@link
 * io.tidekeeper.policy.watermark.WatermarkBound} is the delay a strategy puts behind them, {@link
 * io.tidekeeper.policy.watermark.IdleTimer} tells silence. What partitions learn together is in
 * {@link io.tidekeeper.policy.watermark.SourceLearning}.
 *
 * <p>All times are passed in, in milliseconds since the epoch unless a name says otherwise. {@link
 * java.lang.Long#MIN_VALUE} means "none yet". Objects belong to the thread that feeds them.
 */
@NullMarked
package io.tidekeeper.policy.watermark;

import org.jspecify.annotations.NullMarked;
