package io.tidekeeper.job.source;

import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/**
 * Chained right behind a source: counts the records that arrive at or below the watermark their own
 * subtask has already emitted. That is the one definition of the late share; windows further down
 * decide on their own, with watermarks of all subtasks.
 *
 * @param <T> records, passed on as they are
 */
public final class SourceObserver<T> extends AbstractStreamOperator<T>
    implements OneInputStreamOperator<T, T> {

  private static final long serialVersionUID = 1L;

  private final String sourceName;
  private transient @Nullable SourceSubtask subtask;
  private long watermark = Long.MIN_VALUE;

  /**
   * @param sourceName the source this operator is chained behind
   */
  public SourceObserver(String sourceName) {
    this.sourceName = sourceName;
  }

  @Override
  public void processElement(StreamRecord<T> element) {
    if (subtask == null) {
      // Operators open before the source they are chained to, so this is the earliest moment.
      subtask = SourceSubtasks.require(getMetricGroup(), sourceName);
    }
    if (element.getTimestamp() <= watermark && element.getTimestamp() != Long.MIN_VALUE) {
      subtask.current().countLate();
    }
    output.collect(element);
  }

  @Override
  public void processWatermark(Watermark mark) throws Exception {
    watermark = mark.getTimestamp();
    super.processWatermark(mark);
  }
}
