package io.tidekeeper.job.pipeline;

import io.tidekeeper.job.late.RejectedRecord;
import io.tidekeeper.job.late.RejectedRecord.Reason;
import io.tidekeeper.job.source.SourceSubtask;
import io.tidekeeper.job.source.SourceSubtasks;
import io.tidekeeper.job.source.SplitTracker;
import io.tidekeeper.policy.watermark.Verdict;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Lets the usable records through and turns the others to the dead-letter topic: malformed ones,
 * and those from the future, for which no window could ever close. Chained behind the source, whose
 * tracker has judged the record already.
 */
final class AcceptRecords<T extends InputRecord> extends ProcessFunction<T, T> {

  private static final long serialVersionUID = 1L;

  private final String sourceName;
  private final OutputTag<RejectedRecord> deadLetters;
  private transient @Nullable SourceSubtask subtask;

  AcceptRecords(String sourceName, OutputTag<RejectedRecord> deadLetters) {
    this.sourceName = sourceName;
    this.deadLetters = deadLetters;
  }

  @Override
  public void processElement(T record, Context context, Collector<T> out) {
    SplitTracker split = source().current();
    record.latenessMillis = split.tracker().lastLateness();
    if (record.problem != null) {
      context.output(deadLetters, Rejections.of(record, Reason.MALFORMED));
    } else if (split.verdict() == Verdict.FUTURE) {
      context.output(deadLetters, Rejections.of(record, Reason.FUTURE));
    } else {
      out.collect(record);
    }
  }

  private SourceSubtask source() {
    if (subtask == null) {
      subtask = SourceSubtasks.require(getRuntimeContext().getMetricGroup(), sourceName);
    }
    return subtask;
  }
}
