package io.tidekeeper.job.pipeline;

import io.tidekeeper.job.late.RejectedRecord;
import io.tidekeeper.job.late.RejectedRecord.Reason;

/** Turns records of a pipeline into rejected ones. */
final class Rejections {

  private Rejections() {}

  static RejectedRecord of(InputRecord record, Reason reason) {
    RejectedRecord rejected = new RejectedRecord();
    rejected.reason = reason;
    rejected.detail = record.problem;
    rejected.topic = record.topic;
    rejected.partition = record.partition;
    rejected.offset = record.offset;
    rejected.latenessMillis = record.latenessMillis;
    rejected.key = record.key;
    rejected.value = record.value;
    return rejected;
  }
}
