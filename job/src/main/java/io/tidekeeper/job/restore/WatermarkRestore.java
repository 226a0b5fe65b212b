package io.tidekeeper.job.restore;

import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamUtils;
import org.apache.flink.streaming.api.datastream.KeyedStream;

/**
 * Makes a keyed stream remember its watermark across savepoints.
 *
 * <p>Flink does not: after a restore event time starts from nothing, so a record that was late
 * before the savepoint is accepted afterwards, opens a window that has fired already, and a second,
 * partial result leaves the job. Behind this operator the consumer sees the watermark of the
 * savepoint before it sees the first record, and its own rule decides what is late.
 *
 * <p>Consequence: after the out-of-orderness was raised, the new value protects the records above
 * the restored watermark only. What was late before the change stays late.
 */
public final class WatermarkRestore {

  private WatermarkRestore() {}

  /**
   * Puts watermark restore between a keyed stream and its consumer.
   *
   * <p>The consumer must have the parallelism of the environment, so that the two are chained; the
   * job fails at its start with a message that says so otherwise.
   *
   * @param keyed the input of a window or another event-time operator
   * @param keySelector the selector {@code keyed} was made with
   * @param uid the operator's id in savepoints; must stay the same
   * @param enabled false passes records and watermarks through and still keeps the state, which
   *     shows what Flink does alone
   */
  public static <T, K> KeyedStream<T, K> of(
      KeyedStream<T, K> keyed, KeySelector<T, K> keySelector, String uid, boolean enabled) {
    // A plain stream over the same transformation: the operator needs the partitioning, no keyed
    // state.
    DataStream<T> partitioned =
        new DataStream<>(keyed.getExecutionEnvironment(), keyed.getTransformation());
    DataStream<T> restored =
        partitioned
            .transform(
                "watermark-restore", keyed.getType(), new WatermarkRestoreOperator<>(enabled))
            .uid(uid);
    return DataStreamUtils.reinterpretAsKeyedStream(restored, keySelector, keyed.getKeyType());
  }
}
