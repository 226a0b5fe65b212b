package io.tidekeeper.bench.record;

import org.apache.flink.runtime.event.WatermarkEvent;
import org.apache.flink.streaming.api.operators.source.TimestampsAndWatermarks.WatermarkUpdateListener;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.io.PushingAsyncDataInput.DataOutput;
import org.apache.flink.streaming.runtime.streamrecord.LatencyMarker;
import org.apache.flink.streaming.runtime.streamrecord.RecordAttributes;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;

/** Where records and watermarks end; what it adds up keeps the compiler from leaving work out. */
final class Sink implements DataOutput<Reading>, WatermarkUpdateListener {

  private long records;
  private long times;
  private long watermark = Long.MIN_VALUE;

  /** Records so far. */
  long records() {
    return records;
  }

  /** A sum over the timestamps of all records, which may overflow. */
  long times() {
    return times;
  }

  /**
   * The newest watermark, milliseconds since the epoch; {@code Long.MIN_VALUE} before the first.
   */
  long watermark() {
    return watermark;
  }

  @Override
  public void emitRecord(StreamRecord<Reading> record) {
    records++;
    times += record.getTimestamp();
  }

  @Override
  public void emitWatermark(Watermark mark) {
    watermark = mark.getTimestamp();
  }

  @Override
  public void emitWatermarkStatus(WatermarkStatus status) {
    // nobody reads it
  }

  @Override
  public void emitLatencyMarker(LatencyMarker marker) {
    // nobody reads it
  }

  @Override
  public void emitRecordAttributes(RecordAttributes attributes) {
    // nobody reads it
  }

  @Override
  public void emitWatermark(WatermarkEvent event) {
    // for sources that declare watermarks of their own
  }

  @Override
  public void updateIdle(boolean isIdle) {
    // nobody reads it
  }

  @Override
  public void updateCurrentEffectiveWatermark(long effective) {
    // nobody reads it
  }

  @Override
  public void updateCurrentSplitWatermark(String splitId, long splitWatermark) {
    // nobody reads it
  }

  @Override
  public void updateCurrentSplitIdle(String splitId, boolean idle) {
    // nobody reads it
  }

  @Override
  public void splitFinished(String splitId) {
    // nobody reads it
  }
}
