package io.tidekeeper.bench.record;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.jspecify.annotations.Nullable;

/**
 * A source whose reader hands out an array of records, a stretch of them per split in turn, as a
 * Kafka reader hands out one partition's fetch after the other. It reads without end.
 */
final class ArraySource implements Source<Reading, ArraySource.Split, Void> {

  private static final long serialVersionUID = 1L;

  /** Records in a row from one split. */
  static final int STRETCH = 64;

  private final transient Reading[] readings;

  ArraySource(Reading[] readings) {
    this.readings = readings;
  }

  /**
   * @param splitId its name
   */
  record Split(String splitId) implements SourceSplit {}

  @Override
  public SourceReader<Reading, Split> createReader(SourceReaderContext context) {
    return new Reader(readings);
  }

  @Override
  public Boundedness getBoundedness() {
    return Boundedness.CONTINUOUS_UNBOUNDED;
  }

  @Override
  public SplitEnumerator<Split, Void> createEnumerator(SplitEnumeratorContext<Split> context) {
    throw new IllegalStateException("there is no coordinator here");
  }

  @Override
  public SplitEnumerator<Split, Void> restoreEnumerator(
      SplitEnumeratorContext<Split> context, Void checkpoint) {
    throw new IllegalStateException("there is no coordinator here");
  }

  @Override
  public SimpleVersionedSerializer<Split> getSplitSerializer() {
    throw new IllegalStateException("there are no savepoints here");
  }

  @Override
  public SimpleVersionedSerializer<Void> getEnumeratorCheckpointSerializer() {
    throw new IllegalStateException("there are no savepoints here");
  }

  /** Each poll emits one record. */
  private static final class Reader implements SourceReader<Reading, Split> {

    private final Reading[] readings;
    private List<Split> splits = List.of();
    private SourceOutput<Reading> @Nullable [] outputs;
    private int next;

    Reader(Reading[] readings) {
      this.readings = readings;
    }

    @Override
    public void start() {
      // nothing to connect to
    }

    @Override
    public InputStatus pollNext(ReaderOutput<Reading> output) {
      if (outputs == null) {
        outputs = outputs(output);
      }
      int index = next++ & (Readings.COUNT - 1);
      outputs[index / STRETCH % outputs.length].collect(readings[index]);
      return InputStatus.MORE_AVAILABLE;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // Java has no arrays of a parameterised type
    private SourceOutput<Reading>[] outputs(ReaderOutput<Reading> output) {
      return splits.stream()
          .map(split -> output.createOutputForSplit(split.splitId()))
          .toArray(SourceOutput[]::new);
    }

    @Override
    public List<Split> snapshotState(long checkpointId) {
      return splits;
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void addSplits(List<Split> added) {
      splits = List.copyOf(added);
    }

    @Override
    public void notifyNoMoreSplits() {
      // it reads without end
    }

    @Override
    public void close() {
      // nothing to release
    }
  }
}
