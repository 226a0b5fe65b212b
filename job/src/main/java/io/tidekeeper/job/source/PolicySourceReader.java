package io.tidekeeper.job.source;

import io.tidekeeper.job.backlog.ReadPositions;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.core.io.InputStatus;
import org.jspecify.annotations.Nullable;

/** Passes everything on to the wrapped reader and notes which split is speaking. */
final class PolicySourceReader<T, SplitT extends SourceSplit> implements SourceReader<T, SplitT> {

  private final SourceReader<T, SplitT> wrapped;
  private final SourceSubtask subtask;
  private final ReadPositions<SplitT> positions;
  private final boolean awaitsPolicy;
  private final Runnable onClose;
  private @Nullable SplitAwareOutput<T> output;

  /**
   * @param positions where the wrapped reader stands
   * @param awaitsPolicy whether the enumerator answers the reader's registration with a policy
   */
  PolicySourceReader(
      SourceReader<T, SplitT> wrapped,
      SourceSubtask subtask,
      ReadPositions<SplitT> positions,
      boolean awaitsPolicy,
      Runnable onClose) {
    this.wrapped = wrapped;
    this.subtask = subtask;
    this.positions = positions;
    this.awaitsPolicy = awaitsPolicy;
    this.onClose = onClose;
  }

  @Override
  public void start() {
    if (awaitsPolicy) {
      subtask.awaitPolicy();
    }
    wrapped.start();
  }

  @Override
  public InputStatus pollNext(ReaderOutput<T> flinkOutput) throws Exception {
    SplitAwareOutput<T> current = output;
    if (current == null || !current.wraps(flinkOutput)) {
      current = new SplitAwareOutput<>(flinkOutput, subtask);
      output = current;
    }
    return wrapped.pollNext(current);
  }

  @Override
  public List<SplitT> snapshotState(long checkpointId) {
    return wrapped.snapshotState(checkpointId);
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    return wrapped.isAvailable();
  }

  @Override
  public void addSplits(List<SplitT> splits) {
    subtask.splitsAdded(splits.stream().map(SourceSplit::splitId).toList());
    splits.forEach(positions::assigned);
    wrapped.addSplits(splits);
  }

  @Override
  public void notifyNoMoreSplits() {
    wrapped.notifyNoMoreSplits();
  }

  @Override
  public void handleSourceEvents(SourceEvent sourceEvent) {
    if (sourceEvent instanceof ExchangeEvent ours) {
      subtask.hear(ours);
    } else {
      wrapped.handleSourceEvents(sourceEvent);
    }
  }

  @Override
  public void pauseOrResumeSplits(
      Collection<String> splitsToPause, Collection<String> splitsToResume) {
    wrapped.pauseOrResumeSplits(splitsToPause, splitsToResume);
    subtask.splitsPausedOrResumed(splitsToPause, splitsToResume);
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    wrapped.notifyCheckpointComplete(checkpointId);
  }

  @Override
  public void notifyCheckpointAborted(long checkpointId) throws Exception {
    wrapped.notifyCheckpointAborted(checkpointId);
  }

  @Override
  public void close() throws Exception {
    onClose.run();
    wrapped.close();
  }
}
