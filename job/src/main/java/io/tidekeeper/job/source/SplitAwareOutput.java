package io.tidekeeper.job.source;

import java.util.List;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceOutput;

/** Flink's reader output, with the speaking split noted before each record goes through. */
final class SplitAwareOutput<T> implements ReaderOutput<T> {

  private final ReaderOutput<T> wrapped;
  private final SourceSubtask subtask;

  SplitAwareOutput(ReaderOutput<T> wrapped, SourceSubtask subtask) {
    this.wrapped = wrapped;
    this.subtask = subtask;
  }

  boolean wraps(ReaderOutput<T> output) {
    return wrapped == output;
  }

  @Override
  public void collect(T element) {
    subtask.emittingOnMainOutput();
    wrapped.collect(element);
  }

  @Override
  public void collect(T element, long timestamp) {
    subtask.emittingOnMainOutput();
    wrapped.collect(element, timestamp);
  }

  @Override
  public void emitWatermark(Watermark watermark) {
    wrapped.emitWatermark(watermark);
  }

  @Override
  public void markIdle() {
    wrapped.markIdle();
  }

  @Override
  public void markActive() {
    wrapped.markActive();
  }

  @Override
  public SourceOutput<T> createOutputForSplit(String splitId) {
    // A reader may bring up a split that Flink never assigned to it; then Flink creates the
    // generator
    // inside the call below, and the split has to be known before.
    subtask.splitsAdded(List.of(splitId));
    return new SplitOutput<>(
        wrapped.createOutputForSplit(splitId), subtask, subtask.split(splitId));
  }

  @Override
  public void releaseOutputForSplit(String splitId) {
    wrapped.releaseOutputForSplit(splitId);
    subtask.splitReleased(splitId);
  }

  private static final class SplitOutput<T> implements SourceOutput<T> {

    private final SourceOutput<T> wrapped;
    private final SourceSubtask subtask;
    private final SplitTracker split;

    SplitOutput(SourceOutput<T> wrapped, SourceSubtask subtask, SplitTracker split) {
      this.wrapped = wrapped;
      this.subtask = subtask;
      this.split = split;
    }

    @Override
    public void collect(T element) {
      subtask.emitting(split);
      wrapped.collect(element);
    }

    @Override
    public void collect(T element, long timestamp) {
      subtask.emitting(split);
      wrapped.collect(element, timestamp);
    }

    @Override
    public void emitWatermark(Watermark watermark) {
      wrapped.emitWatermark(watermark);
    }

    @Override
    public void markIdle() {
      wrapped.markIdle();
    }

    @Override
    public void markActive() {
      wrapped.markActive();
    }
  }
}
